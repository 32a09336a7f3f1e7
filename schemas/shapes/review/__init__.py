"""Shapes of rows, questions and changes in review."""

"""Calls about the rows of an import."""

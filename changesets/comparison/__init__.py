"""Rows of an apply compared with what is known."""

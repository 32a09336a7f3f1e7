"""Rows that are not in a revision: skipped, returned, looked up."""

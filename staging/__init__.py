"""Stored tables: typed columns, issues, revisions. Knows no import state."""

"""Workbooks and CSV for people: templates to fill in, rows to correct."""

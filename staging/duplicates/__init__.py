"""Duplicate rows: group them, resolve the groups, dismiss groups that are not a mistake."""

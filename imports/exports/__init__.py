"""Rows as files for people, and the corrections they send back."""

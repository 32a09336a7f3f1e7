"""Calls about catalogs: drafts, versions, tests."""

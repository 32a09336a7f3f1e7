"""Shapes of catalogs, contracts and their tests."""

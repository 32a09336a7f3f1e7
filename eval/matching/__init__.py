"""Measure how columns are matched to fields, on labelled sets and on generated catalogs."""

from eval.matching.adapter import as_catalog, match

__all__ = ["as_catalog", "match"]

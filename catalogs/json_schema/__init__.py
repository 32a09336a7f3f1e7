"""Catalogs as JSON Schema of what hosts receive, and catalogs made from JSON Schema. Pure."""

from catalogs.json_schema.reading import Read, read_schema
from catalogs.json_schema.writing import written_schema

__all__ = ["Read", "read_schema", "written_schema"]

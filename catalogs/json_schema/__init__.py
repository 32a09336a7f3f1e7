"""Catalogs as JSON Schema of what hosts receive, and catalogs made from JSON Schema. Pure."""

from catalogs.json_schema.reader import Read, read_schema
from catalogs.json_schema.writer import written_schema

__all__ = ["Read", "read_schema", "written_schema"]

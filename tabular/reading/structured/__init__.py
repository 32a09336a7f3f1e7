"""JSON and NDJSON. Spec: What the service does, 1."""

from tabular.reading.structured.opening import read_structured

__all__ = ["read_structured"]

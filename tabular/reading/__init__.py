"""Read any file that users send: bytes in, tables with their bodies out. Spec: 1."""

from tabular.reading.routing import read

__all__ = ["read"]

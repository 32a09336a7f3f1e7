"""Text files: encoding, dialect, records, and their bodies. Spec: What the service does, 1."""

from tabular.reading.text.reader import read_text

__all__ = ["read_text"]

"""The key of a row in an export, by which a corrected file finds the row again."""

from collections.abc import Iterable

from imports.models import ImportRecord
from tabular.writing.export import RowKey, fingerprint


def key_of(record: ImportRecord, row: int, texts: Iterable[str | None]) -> str:
    """Return the key of a row with some texts."""
    return str(RowKey(record.public_id, row, fingerprint(texts)))

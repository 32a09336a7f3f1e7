import pytest

from tabular.matching import propose
from tabular.model.catalog import Catalog, Entry, Field


def make_catalog(*fields, entry="rows"):
    """Return a catalog of one entry; a field is ``key``, ``key:type`` or ``key:type!``."""
    made = []
    for text in fields:
        key, _, column_type = text.rstrip("!").partition(":")
        required = text.endswith("!")
        made.append(Field(key=key, column_type=column_type or "string", required=required))
    return Catalog(key="test", entries=(Entry(id=entry, fields=tuple(made)),))


@pytest.fixture
def matched():
    """Return a function that proposes for columns with values; few values are repeated."""

    def match(columns, *fields, entry="rows", **more):
        cells = [list(values) * (12 // max(1, len(values))) for values in columns.values()]
        return propose(tuple(columns), cells, catalog=make_catalog(*fields, entry=entry), **more)

    return match

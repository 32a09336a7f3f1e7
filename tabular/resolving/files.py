"""Stored known entities, next to the columns of a table."""

from collections.abc import Collection, Mapping
from pathlib import Path

import pyarrow as pa

from tabular.protocol.tables import whole, write
from tabular.resolving.deciding import DECIDED
from tabular.resolving.entities import KNOWN
from tabular.resolving.resolution import Known

ENTITIES_FILE, LEARNED_FILE, DECIDED_FILE = "known.arrow", "learned.arrow", "decided.arrow"
ELSEWHERE_FILE = "elsewhere.arrow"
ELSEWHERE = pa.schema([("field", pa.string()), ("text", pa.string())])


def write_known(folder: Path, known: Known) -> None:
    """Write what is known into a folder."""
    write(folder / ENTITIES_FILE, known.entities)
    write(folder / LEARNED_FILE, known.learned)


def read_known(folder: Path) -> Known:
    """Read what is known, and earlier decisions by similarity if they are stored."""
    decided, entities = folder / DECIDED_FILE, whole(folder / ENTITIES_FILE)
    if "shared" not in entities.column_names:  # stored by an earlier version: of the scope alone
        shared = pa.repeat(pa.scalar(False), entities.num_rows)
        entities = entities.append_column(KNOWN.field("shared"), shared)
    if "delivered" not in entities.column_names:
        none = pa.nulls(entities.num_rows, pa.string())
        entities = entities.append_column(KNOWN.field("delivered"), none)
    return Known(
        entities,
        whole(folder / LEARNED_FILE),
        whole(decided) if decided.exists() else DECIDED.empty_table(),
    )


def write_elsewhere(folder: Path, texts: Mapping[str, Collection[str]]) -> None:
    """Write which texts another scope of the tenant knows, by field path."""
    pairs = [(path, text) for path, some in texts.items() for text in sorted(some)]
    columns = [[path for path, _ in pairs], [text for _, text in pairs]]
    write(folder / ELSEWHERE_FILE, pa.table(columns, schema=ELSEWHERE))


def read_elsewhere(folder: Path) -> frozenset[tuple[str, str]]:
    """Return the texts that another scope of the tenant knows, each with its field path."""
    if not (folder / ELSEWHERE_FILE).exists():
        return frozenset()
    grid = whole(folder / ELSEWHERE_FILE)
    return frozenset(zip(grid["field"].to_pylist(), grid["text"].to_pylist(), strict=True))

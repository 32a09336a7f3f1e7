"""Typed rows on their way from transforming through validating to staging."""

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.defect import NOT_CHECKED, Defect
from tabular.model.issue import Severity
from tabular.values.arrays import Rows


@dataclass(frozen=True, slots=True)
class Finding:
    """
    One code about some cells of one field.

    rows: m output rows. values: m strings, the texts or values found. params: m JSON objects as
    strings, or one for all, or None.
    """

    field: str  # field path
    code: str
    severity: Severity
    rows: Rows
    values: pa.Array
    params: pa.Array | str | None = None


@dataclass(frozen=True, slots=True)
class TypedRows:
    """
    A batch of n output rows.

    first: number of the first output row. sources: n int64, positions in the source. ordinals: n
    int32, which of several rows unpivoting made of one. texts: per field path n strings after the
    recipe, null for empty. values: per field path n typed values. kinds: n int8 (``Kind``) for
    fields whose cells are more than text. defects: our own failures on the way.
    """

    first: int
    sources: pa.Array
    ordinals: pa.Array
    texts: dict[str, pa.Array]
    values: dict[str, pa.Array]
    findings: list[Finding] = field(default_factory=list)
    kinds: dict[str, pa.Array] = field(default_factory=dict)
    defects: list[Defect] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.sources)

    def filled(self, path: str) -> pa.Array:
        """Return which rows have a text for a field, readable or not. Returns n bool."""
        return pc.is_valid(self.texts[path])


def not_checked(path: str, texts: pa.Array, *, first: int) -> Finding:
    """Return the finding that every row of a field could not be checked. texts: n strings."""
    rows = np.arange(first, first + len(texts), dtype=np.int64)
    return Finding(path, NOT_CHECKED, "error", rows, texts)

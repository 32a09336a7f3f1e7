"""
The lines of a nested delivery: one object for each parent, with its children as lists.

Pure: columns in, bytes out. ``$rows`` and ``$row`` say from which rows an object was made, counted
in the delivery as in a flat one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deliveries.payload import RowCountDiffers, dumps
from tabular.model.sentences import counted
from tabular.resolving.known_values import AS_JSON

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Rows = NDArray[np.int64]

ROWS, ROW = "$rows", "$row"
MOST_ROWS = 10_000  # of one parent: a line is written as a whole


@dataclass(frozen=True, slots=True)
class Shape:
    """Which columns are members of a parent, and which of its lists."""

    fields: Sequence[str]
    lists: Mapping[str, Sequence[str]]  # by entry
    types: Mapping[str, Any]
    formats: Mapping[str, str]


def lines(batches: "Iterable[pa.RecordBatch]", starts: "Rows", shape: Shape) -> Iterator[bytes]:
    """
    Yield the parents as ``{...}``, one on each line, with commas between them.

    batches: record batches that never end within a parent. starts: where the rows of each parent
    begin, counted from the first row; the last item is the number of rows. Raise RowCountDiffers at
    the end if the batches do not have as many.
    """
    import numpy as np

    first = 0
    for batch in batches:
        begin, after = np.searchsorted(starts, (first, first + batch.num_rows))
        mine = starts[begin : after + 1] - first
        text = parents_as_lines(batch, mine, shape, first=first)
        yield text if first else text[1:]  # no comma before the first
        first += batch.num_rows
    if first != starts[-1]:
        raise RowCountDiffers(f"{counted(first, 'row')} written, {int(starts[-1]):,} announced")


def parents_as_lines(
    batch: "pa.RecordBatch", starts: "Rows", shape: Shape, *, first: int = 0
) -> bytes:
    """Return each parent as ``, {...}``, all in one block. first: the number of the first row."""
    import numpy as np
    import pyarrow as pa

    from deliveries import fragments

    if not batch.num_rows:
        return b""
    count = len(starts) - 1
    groups = np.repeat(np.arange(count), np.diff(starts))
    numbers = pa.array(np.arange(first, first + batch.num_rows)).cast(pa.large_string())
    parts = [_scalar(f',\n{{"{ROWS}":['), _in_lists(numbers, starts)]
    lead = "]"
    for path in shape.fields:
        own = _of_parents(batch.column(path), groups, count)
        parts += [_scalar(f"{lead},{dumps(path).decode()}:"), _json(own, path, shape)]
        lead = ""
    for entry, paths in shape.lists.items():
        at = np.flatnonzero(_has_any(batch, paths))
        objects = _objects(batch.select(list(paths)).take(pa.array(at)), numbers.take(at), shape)
        ends = np.cumsum(np.bincount(groups[at], minlength=count))
        parts += [
            _scalar(f"{lead},{dumps(entry).decode()}:["),
            _in_lists(objects, np.concatenate([[0], ends])),
        ]
        lead = "]"
    parts += [_scalar(f"{lead}}}"), _scalar("")]
    whole: bytes = fragments.joined(_joined(parts)).tobytes()
    return whole


def _scalar(text: str) -> Any:
    import pyarrow as pa

    return pa.scalar(text, pa.large_string())


def _joined(parts: Sequence[Any]) -> Any:
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(*parts, null_handling="replace", null_replacement="null")


def _in_lists(texts: "pa.Array[Any]", offsets: "Rows") -> "pa.Array[Any]":
    """Join texts with commas. offsets: where the texts of each list begin, and their number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    lists = pa.LargeListArray.from_arrays(pa.array(offsets, pa.int64()), texts)
    return pc.binary_join(lists, _scalar(","))


def _of_parents(values: "pa.Array[Any]", groups: "Rows", count: int) -> "pa.Array[Any]":
    """Return the first value of each parent that is not empty."""
    import numpy as np
    import pyarrow as pa

    from tabular.validating.groups import first_of

    filled = np.flatnonzero(values.is_valid().to_numpy(zero_copy_only=False))
    heads = first_of(groups, filled, count)
    return values.take(pa.array(heads, mask=heads < 0))


def _has_any(batch: "pa.RecordBatch", paths: Sequence[str]) -> "NDArray[np.bool_]":
    import numpy as np

    has: NDArray[np.bool_] = np.zeros(batch.num_rows, dtype=bool)
    for path in paths:
        has |= batch.column(path).is_valid().to_numpy(zero_copy_only=False)
    return has


def _objects(batch: "pa.RecordBatch", numbers: "pa.Array[Any]", shape: Shape) -> "pa.Array[Any]":
    parts = [_scalar(f'{{"{ROW}":'), numbers]
    for path, values in zip(batch.schema.names, batch.columns, strict=True):
        parts += [_scalar(f",{dumps(path).decode()}:"), _json(values, path, shape)]
    return _joined([*parts, _scalar("}"), _scalar("")])


def _json(values: "pa.Array[Any]", path: str, shape: Shape) -> "pa.Array[Any]":
    import pyarrow as pa

    from tabular.types.value_texts import json_texts

    if shape.types.get(path) == AS_JSON:
        return values.cast(pa.large_string())
    texts = json_texts(values, shape.types.get(path), shape.formats.get(path))
    return texts.cast(pa.large_string())

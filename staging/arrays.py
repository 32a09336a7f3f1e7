"""Read and replace rows of chunked columns without copying a whole column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Rows = NDArray[np.int64]


def ascending(*rows: Rows) -> Rows:
    """
    Return the distinct numbers in ascending order.

    If all numbers differ, np.unique takes a second for a million, because it hashes them.
    """
    import numpy as np

    ordered = np.sort(np.concatenate([np.zeros(0, np.int64), *rows]))
    is_first = np.ones(len(ordered), dtype=bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    once: Rows = ordered[is_first]
    return once


def places_in(numbers: Rows, rows: Rows) -> Rows:
    """
    Return where each of some rows is among distinct numbers in any order, or -1.

    >>> import numpy as np
    >>> places_in(np.array([5, 2, 9]), np.array([9, 3, 5])).tolist()
    [2, -1, 0]
    """
    import numpy as np

    if not len(numbers):
        return np.full(len(rows), -1, np.int64)
    order = np.argsort(numbers, kind="stable")
    at = order[np.searchsorted(numbers, rows, sorter=order).clip(max=len(numbers) - 1)]
    places: Rows = np.where(numbers[at] == rows, at, -1).astype(np.int64)
    return places


FEW = 8  # rows for each chunk, up to which they are taken one by one


def starts_of(column: pa.ChunkedArray) -> Rows:
    """Return the number of the first row of each chunk, and at the end the number of rows."""
    import numpy as np

    return np.concatenate([[0], np.cumsum([len(chunk) for chunk in column.chunks])]).astype(
        np.int64
    )


def take(column: pa.ChunkedArray, rows: Rows, starts: Rows | None = None) -> pa.Array:
    """
    Return some rows of a column, in their order. starts: ``starts_of`` it, if known.

    pyarrow's take on a chunked array joins its chunks first, which copies the whole column.
    """
    import numpy as np
    import pyarrow as pa

    if _is_run(rows):
        return pa.concat_arrays(column.slice(rows[0], len(rows)).chunks)
    starts = starts_of(column) if starts is None else starts
    chunks = np.searchsorted(starts, rows, side="right") - 1
    if 0 < len(rows) <= FEW * len(column.chunks):
        places = zip(chunks.tolist(), (rows - starts[chunks]).tolist(), strict=True)
        return pa.concat_arrays([column.chunk(chunk).slice(at, 1) for chunk, at in places])
    order = np.argsort(chunks, kind="stable")
    parts = []
    for number in np.unique(chunks).tolist():
        wanted = rows[order][chunks[order] == number] - starts[number]
        parts.append(column.chunk(number).take(pa.array(wanted)))
    if not parts:
        return pa.array([], column.type)
    back = np.empty(len(rows), np.int64)
    back[order] = np.arange(len(rows))
    joined = pa.concat_arrays(parts)
    return joined if len(parts) == 1 and _ascends(order) else joined.take(pa.array(back))


def text_bytes(column: pa.ChunkedArray, rows: Rows, starts: Rows | None = None) -> Rows:
    """
    Return the byte length of the texts of some rows, from their offsets alone. n int64.

    starts: ``starts_of`` the column, if known.
    """
    import numpy as np

    sizes = np.zeros(len(rows), np.int64)
    if not _has_text(column.type):
        return sizes
    starts = starts_of(column) if starts is None else starts
    chunks = np.searchsorted(starts, rows, side="right") - 1
    for number in np.unique(chunks).tolist():
        here = chunks == number
        edges = _edges(column.chunk(number))
        if edges is not None:
            at = rows[here] - starts[number]
            sizes[here] = edges[at + 1] - edges[at]
    return sizes


def _has_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return _has_text(kind.value_type) if pa.types.is_list(kind) else pa.types.is_string(kind)


def _edges(array: pa.Array) -> NDArray[Any] | None:
    """Return where the bytes of each text begin and end, n + 1, or None if this is not text."""
    import numpy as np
    import pyarrow as pa

    if pa.types.is_list(array.type):
        inner = _edges(array.values)
        outer: NDArray[Any] | None = None if inner is None else inner[array.offsets.to_numpy()]
        return outer
    if not pa.types.is_string(array.type) or not len(array):
        return None
    offsets = np.frombuffer(array.buffers()[1], np.int32)  # a view: only the requested part is read
    edges: NDArray[Any] = offsets[array.offset : array.offset + len(array) + 1]
    return edges


def replaced(column: pa.ChunkedArray, rows: Rows, by: pa.Array) -> pa.ChunkedArray:
    """Return a column with ``by`` in some rows. rows: m, ascending; by: m. Copies few chunks."""
    import numpy as np
    import pyarrow as pa

    starts = starts_of(column)
    edges = np.searchsorted(rows, starts)
    chunks = []
    for number, chunk in enumerate(column.chunks):
        begin, end = int(edges[number]), int(edges[number + 1])
        if end > begin:
            mask = np.zeros(len(chunk), dtype=bool)
            mask[rows[begin:end] - starts[number]] = True
            chunk = _with_mask(chunk, pa.array(mask), by.slice(begin, end - begin))
        chunks.append(chunk)
    return pa.chunked_array(chunks, column.type)


def _with_mask(chunk: pa.Array, mask: pa.Array, by: pa.Array) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_nested(chunk.type):
        return pc.replace_with_mask(chunk, mask, by)
    values = chunk.to_pylist()
    at = iter(by.to_pylist())
    edited = [next(at) if m else v for v, m in zip(values, mask.to_pylist(), strict=True)]
    return pa.array(edited, chunk.type)


def _is_run(rows: Rows) -> bool:
    """Return whether the rows are consecutive."""
    if not len(rows) or rows[-1] - rows[0] != len(rows) - 1:
        return False
    return bool((rows[1:] - rows[:-1] == 1).all())


def _ascends(order: Rows) -> bool:
    return bool((order[1:] > order[:-1]).all())

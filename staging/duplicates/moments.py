"""When rows were made, by a field that has a date, for keeping the newest of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.errors import Conflict
from common.wording.messages import Message
from staging.columns import StagedTable

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows

NEVER = -(2**62)  # the moment of a row without a date: before all others
_OFFSET = r"(?P<sign>[+-])(?P<hours>[0-9]{2}):(?P<minutes>[0-9]{2})$"


class NoDateField(Conflict):
    """This field has no dates. Choose a field with dates."""

    code = "no_date_field"


def moments_of(table: StagedTable, path: str) -> Rows:
    """
    Return when each row was made, as ascending numbers. n int64.

    An instant without a zone counts as UTC. Raise NoDateField for a field of another type.
    """
    import numpy as np
    import pyarrow as pa

    values = table.values(path)
    column_type = table.files.by_field[path].column_type
    if pa.types.is_date(values.type):
        parts = [chunk.cast(pa.timestamp("s")) for chunk in values.chunks]
        moments = [part.cast(pa.int64()) for part in parts]
    elif column_type == "datetime":
        moments = [_instants(chunk) for chunk in values.chunks]
    else:
        wrong = Message("no_date_field.named", field=path)
        raise NoDateField(wrong, errors=[{"pointer": "/newestBy", "detail": wrong}])
    parts = [moment.fill_null(NEVER).to_numpy() for moment in moments]
    return np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64)


def _instants(values: pa.Array) -> pa.Array:
    """Return the seconds of texts like ``2024-01-31T13:05:00+02:00``. n int64."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wall = pc.cast(pc.utf8_slice_codeunits(values, 0, 19), pa.timestamp("s")).cast(pa.int64())
    offset = pc.extract_regex(values, _OFFSET)

    def number(name: str) -> pa.Array:
        return pc.fill_null(pc.cast(pc.struct_field(offset, name), pa.int64()), 0)

    seconds = pc.add(pc.multiply(number("hours"), 3600), pc.multiply(number("minutes"), 60))
    is_west = pc.fill_null(pc.equal(pc.struct_field(offset, "sign"), "-"), False)
    return pc.if_else(is_west, pc.add(wall, seconds), pc.subtract(wall, seconds))

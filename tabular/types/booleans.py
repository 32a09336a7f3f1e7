"""Yes and no in the languages of our users. Spec: columnType boolean."""

import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.distinct import on_distinct
from tabular.types.how import How
from tabular.types.parsed import Parsed, faults, refused
from tabular.values.judging import no, yes


def read_boolean(texts: pa.Array, how: How) -> Parsed:
    """Read booleans. texts: n tidy strings. Returns n bool."""
    return on_distinct(texts, _read, how.memory)


def _read(texts: pa.Array) -> Parsed:
    lowered = pc.utf8_lower(texts)
    true = pc.is_in(lowered, value_set=pa.array(sorted(yes())))
    known = pc.or_(true, pc.is_in(lowered, value_set=pa.array(sorted(no()))))
    values = pc.if_else(known, true, pa.scalar(None, pa.bool_()))
    return Parsed(values, faults("not_a_boolean", refused(texts, values)))

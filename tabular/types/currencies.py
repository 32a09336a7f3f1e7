"""ISO 4217 codes, from codes, names or unmistakable signs. Spec: columnType currency_code."""

import pyarrow as pa

from tabular.types.distinct import on_distinct
from tabular.types.how import How
from tabular.types.parsed import Parsed, faults, per_distinct, refused
from tabular.values.vocabularies import currency


def read_currency_code(texts: pa.Array, how: How) -> Parsed:
    """Read currencies. texts: n tidy strings. Returns n ISO 4217 codes."""
    return on_distinct(texts, _read, how.memory)


def _read(texts: pa.Array) -> Parsed:
    values = per_distinct(texts, currency, pa.string())
    return Parsed(values, faults("not_a_currency", refused(texts, values)))

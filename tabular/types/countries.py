"""ISO 3166-1 codes, from codes or names. Spec: columnType country_code_alpha_2, _alpha_3."""

import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.distinct import on_distinct
from tabular.types.how import How
from tabular.types.parsed import Parsed, faults, per_distinct, refused
from tabular.values.vocabularies import alpha_3_codes, country


def alpha_2(codes: pa.Array) -> pa.Array:
    """Turn alpha-3 codes into alpha-2 codes, which stay as they are. codes: n strings."""
    known = pa.array(list(alpha_3_codes().values()), pa.string())
    short = pa.array(list(alpha_3_codes()), pa.string())
    return pc.coalesce(short.take(pc.index_in(codes, value_set=known)), codes)


def read_alpha_2(texts: pa.Array, how: How) -> Parsed:
    """Read countries. texts: n tidy strings. Returns n alpha-2 codes."""
    return on_distinct(texts, lambda distinct: _read(distinct, alpha_3=False), how.memory)


def read_alpha_3(texts: pa.Array, how: How) -> Parsed:
    """Read countries. texts: n tidy strings. Returns n alpha-3 codes."""
    return on_distinct(texts, lambda distinct: _read(distinct, alpha_3=True), how.memory)


def _read(texts: pa.Array, *, alpha_3: bool) -> Parsed:
    def one(text: str) -> str | None:
        code = country(text)
        return alpha_3_codes()[code] if code and alpha_3 else code

    values = per_distinct(texts, one, pa.string())
    return Parsed(values, faults("not_a_country", refused(texts, values)))

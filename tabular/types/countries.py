"""ISO 3166-1 codes, from codes or names. Spec: columnType country_code_alpha_2, _alpha_3."""

from functools import cache

import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.distinct import on_distinct
from tabular.types.how import How
from tabular.types.month_names import LANGUAGES
from tabular.types.option_book import fold
from tabular.types.parsed import Parsed, faults, per_distinct, refused
from tabular.types.vocabulary.countries import ALPHA_3, NAMES


@cache
def _codes() -> dict[str, str]:
    """Every accepted spelling, folded, with its alpha-2 code; codes win over names."""
    from babel import Locale

    codes = {fold(name): alpha_2 for name, alpha_2 in NAMES.items()}
    for language in LANGUAGES:
        for alpha_2, name in Locale(language).territories.items():
            if alpha_2 in ALPHA_3:
                codes.setdefault(fold(name), alpha_2)
    codes |= {alpha_3.casefold(): alpha_2 for alpha_2, alpha_3 in ALPHA_3.items()}
    return codes | {alpha_2.casefold(): alpha_2 for alpha_2 in ALPHA_3}


def country(text: str) -> str | None:
    """
    Give the alpha-2 code of a code or a name in one of sixteen languages.

    >>> country("Österreich"), country("deu"), country("U.S.A."), country("Narnia")
    ('AT', 'DE', 'US', None)
    """
    return _codes().get(fold(text))


def alpha_2(codes: pa.Array) -> pa.Array:
    """Turn alpha-3 codes into alpha-2 codes, which stay as they are. codes: n strings."""
    known = pa.array(list(ALPHA_3.values()), pa.string())
    short = pa.array(list(ALPHA_3), pa.string())
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
        return ALPHA_3[code] if code and alpha_3 else code

    values = per_distinct(texts, one, pa.string())
    return Parsed(values, faults("not_a_country", refused(texts, values)))

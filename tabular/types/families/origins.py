"""Which countries the values of a column support."""

import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.catalog import ColumnType
from tabular.values.vocabularies import country, currency

SPEAKING: frozenset[ColumnType] = frozenset(
    {
        *("iban", "currency_code", "country_code_alpha_2", "country_code_alpha_3"),
        *("zip_code_de", "string"),
    }
)
NOWHERE = ""  # the answer for a value that is common in several countries
MANY = 50  # distinct values, above which their meaning is not asked
_IBAN = r"^[A-Z]{2}[0-9]{2} ?[A-Z0-9]{4}"
# Postcodes with letters, as their posts write them; digits alone are used by many countries.
_POSTCODES = {
    "GB": r"^(?:[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][ABD-HJLNP-UW-Z]{2})$",
    "CA": r"^[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z] [0-9][ABCEGHJ-NPRSTV-Z][0-9]$",
    "NL": r"^[1-9][0-9]{3} (?:[A-RT-Z][A-Z]|S[BCE-RT-Z])$",
}
_ABROAD = frozenset({"US"})  # whose currency is common in the price lists of all others


def countries_of(texts: pa.Array, column_type: ColumnType) -> set[str]:
    """
    Return the countries (ISO 3166 alpha-2) of a column's values, and NOWHERE.

    texts: n tidy strings. Values that are not of the type are ignored.

    >>> sorted(countries_of(pa.array(["CHF", "EUR", None]), "currency_code"))
    ['', 'CH']
    """
    if column_type == "zip_code_de":
        german = pc.all(pc.match_substring_regex(texts, "^[0-9]{5}$"), min_count=1).as_py()
        return {"DE"} if german else {NOWHERE}
    if column_type == "string":
        return _post_of(texts)
    if column_type == "iban":
        whole = texts.filter(pc.match_substring_regex(texts, _IBAN))
        return set(pc.utf8_slice_codeunits(whole, 0, 2).unique().to_pylist())
    distinct = texts.unique().drop_null()
    if len(distinct) > MANY:
        return {NOWHERE}
    if column_type == "currency_code":
        return {home_of(code) for text in distinct.to_pylist() if (code := currency(text))}
    return {code for text in distinct.to_pylist() if (code := country(text))}


def _post_of(texts: pa.Array) -> set[str]:
    """Return the country whose postcodes all texts are, NOWHERE for other texts."""
    if texts.null_count == len(texts):
        return set()
    for place, pattern in _POSTCODES.items():
        first = pc.all(pc.match_substring_regex(texts.slice(0, 1_000), pattern), min_count=0)
        if first.as_py() and pc.all(pc.match_substring_regex(texts, pattern)).as_py():
            return {place}
    return {NOWHERE}


def home_of(code: str) -> str:
    """
    Return the country that an ISO 4217 code begins with, if it is the currency of one country.

    >>> home_of("CHF"), home_of("GBP"), home_of("EUR"), home_of("USD"), home_of("XAF")
    ('CH', 'GB', '', '', '')
    """
    place = code[:2]
    is_country = place not in _ABROAD and country(place) == place
    return place if is_country else NOWHERE

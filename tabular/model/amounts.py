"""The currency of a field's amounts. Spec: columnType currency_eur, currency_usd; outputFormat.

The field model has no member for a currency, and a contract may have none that the specification
does not list. A number states its currency by its ``outputFormat``: an ISO 4217 code alone
(``CHF``), or next to the format of the number (``CHF 0.00``, ``0.00 CHF``).
"""

import re
from dataclasses import dataclass

from tabular.model.catalog import ColumnType, Field
from tabular.model.table import MONIES

ISO_CODES = frozenset(
    name for name in MONIES if name.isascii() and len(name) == 3 and name.isupper()
)
CURRENCY_OF: dict[ColumnType, str] = {"currency_eur": "EUR", "currency_usd": "USD"}
STATING: frozenset[ColumnType] = frozenset({"float", *CURRENCY_OF})
_FORM = re.compile(
    r"(?P<alone>[A-Z]{3})|(?P<before>[A-Z]{3}) (?P<number>[#0.,' ]+)"
    r"|(?P<other>[#0.,' ]+) (?P<after>[A-Z]{3})"
)


@dataclass(frozen=True, slots=True)
class AmountFormat:
    """The parsed output format of an amount. number: the format of the digits, "" for none."""

    currency: str  # three capitals, not necessarily an ISO 4217 code
    number: str = ""
    is_before: bool = False  # the code precedes the digits

    def written(self, digits: str) -> str:
        """Return formatted digits with the code."""
        return f"{self.currency} {digits}" if self.is_before else f"{digits} {self.currency}"


def amount_format(pattern: str) -> AmountFormat | None:
    """
    Read an output format that names a currency.

    >>> amount_format("0.00 CHF"), amount_format("#,##0.00")
    (AmountFormat(currency='CHF', number='0.00', is_before=False), None)
    """
    match = _FORM.fullmatch(pattern)
    if match is None:
        return None
    code = match["alone"] or match["before"] or match["after"]
    return AmountFormat(code, match["number"] or match["other"] or "", bool(match["before"]))


def is_amount_format(column_type: ColumnType, pattern: str) -> bool:
    """
    Return whether a type supports the currency that a format names.

    >>> is_amount_format("float", "CHF"), is_amount_format("currency_eur", "0.00 CHF")
    (True, False)
    """
    named = amount_format(pattern)
    if named is None or column_type not in STATING or named.currency not in ISO_CODES:
        return False
    return CURRENCY_OF.get(column_type, named.currency) == named.currency


def currency_of_field(field: Field) -> str | None:
    """Return the ISO 4217 currency code of a field's amounts, or None for other fields."""
    if field.dropdown_options:
        return None
    pattern = field.output_format
    if field.column_type == "float" and pattern and is_amount_format("float", pattern):
        named = amount_format(pattern)
        return named.currency if named else None
    return CURRENCY_OF.get(field.column_type)


def is_currency_alone(field: Field) -> bool:
    """Return whether a field's output format contains nothing but a currency."""
    return field.output_format is not None and field.output_format == currency_of_field(field)

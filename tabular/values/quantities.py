"""Numbers with more than a sign next to them: a unit, a bound, the mark of a footnote."""

import re
from decimal import Decimal
from functools import cache

from tabular.values.numbers import Number, number
from tabular.values.signs import units


def quantity(text: str) -> Number | None:
    """
    Read the number of a text that has a unit, a bound or the mark of a footnote.

    >>> [(n := quantity(text)) and n.plain for text in ("12 kg", "< 5", "7*", "12b", "1.5 (a)")]
    ['12', '5', '7', None, '1.5']
    """
    match = _form().match(text.strip())
    return number(match["number"]) if match else None


@cache
def _form() -> re.Pattern[str]:
    return re.compile(
        rf"^(?:[*<>≈~±≤≥]|ca\.? ?|approx\.? ?){{0,3}}\s?(?P<number>.*?[0-9%)€$£¥])\s?(?:{units()})?"
        r"\s?(?:[*†‡]+|\(\w\)|[¹²³])?$",
        re.IGNORECASE,
    )


def amount(text: str) -> Decimal | None:
    """
    Read a number or a quantity in the likelier format, good enough to check a sum.

    >>> amount("1.234,50 €"), amount("(12)"), amount("1,234"), amount("1.234"), amount("n/a")
    (Decimal('1234.50'), Decimal('-12'), Decimal('1234'), Decimal('1.234'), None)
    """
    parsed = number(text) or quantity(text)
    if parsed is None:
        return None
    return parsed.value("us" if "us" in parsed.formats else "eu")

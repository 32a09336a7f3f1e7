"""The one judge of what a text, or a column of texts, can be and what it means.

Everybody who has to tell a number from a date, or a placeholder from a value, asks here: the
layout of tables, PDF content, detectors and column types. One text is judged by ``judge``; columns
have the same grammars as array kernels (``numbers``, ``dates``, ``blanks``), and tests hold both
to the same answers. Words and signs stand in ``locale/`` or come from the Unicode CLDR.
"""

from tabular.values.blanks import is_blank, is_error, is_placeholder
from tabular.values.judging import Judgement, Kind, judge
from tabular.values.numbers import FORMATS, Number, NumberFormat, number, read_number
from tabular.values.quantities import amount, quantity

__all__ = [
    "FORMATS",
    "Judgement",
    "Kind",
    "Number",
    "NumberFormat",
    "amount",
    "is_blank",
    "is_error",
    "is_placeholder",
    "judge",
    "number",
    "quantity",
    "read_number",
]

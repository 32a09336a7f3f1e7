"""The only judge of what a text, or a column of texts, can be and what it means.

All code that distinguishes a number from a date, or a placeholder from a value, uses this package:
the layout of tables, PDF content, detectors and column types. One text is judged by ``judge``.
Columns have the same grammars as array kernels (``number_columns``, ``date_columns``), and tests
check that both give the same answers. Words and signs are in ``locale/`` or come from the Unicode
CLDR.
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

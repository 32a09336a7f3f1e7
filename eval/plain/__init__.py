"""
Plain tables, generated: a header in the first line, ordinary values, nothing odd.

1. ``columns``: what one column contains: its possible names and its values.
2. ``tables``: a seed makes a table: its header, its rows, and how it is written.
3. ``writers``: the same table as text, workbook or web page.
4. ``checks``: the reader's result for the file, compared with the table.

The words come from Faker and from the lists here, never from the engine's own.
"""

from eval.plain.checks import Verdict, check
from eval.plain.tables import PlainTable, Shape, plain_table
from eval.plain.writers import FORMATS, write

__all__ = ["FORMATS", "PlainTable", "Shape", "Verdict", "check", "plain_table", "write"]

"""
Join two tables by a key, and find out which tables of a file belong together.

1. ``keys``: the texts of key columns as codes, how many of them match, and the pairs of rows.
2. ``rows``: rows kept on disk, of which any can be taken.
3. ``joined_table``: the joined table, one more table of the reading.
4. ``relations``: pairs of tables that can be stacked or joined, with their evidence.
"""

from tabular.reading.joining.joined_table import joined
from tabular.reading.joining.relations import related

__all__ = ["joined", "related"]

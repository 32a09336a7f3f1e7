"""Read some rows of a transformed table again: after an edit, or to explain them.

Pure functions over the source and the staged files, with the same steps as for the whole table.
"""

from tabular.rechecking.explaining import CellStory, Outcome, RowStory, explain, outcomes
from tabular.rechecking.reach import Reach, reach_of
from tabular.rechecking.recheck import ExcludedRows, Rechecked, Staged, recheck

__all__ = [
    "CellStory",
    "ExcludedRows",
    "Outcome",
    "Reach",
    "Rechecked",
    "RowStory",
    "Staged",
    "explain",
    "outcomes",
    "reach_of",
    "recheck",
]

"""The 15 rules, on columns. Spec: validation.

``row_rules`` compiles the rules that look at one row, ``unique_groups`` those that look at all;
``publishing.findings_of`` says what a catalog has wrong or in vain.
"""

from tabular.validating.rule import RowRule, check_rows
from tabular.validating.rules import row_rules
from tabular.validating.unique import UniqueGroup, duplicates, unique_groups

__all__ = ["RowRule", "UniqueGroup", "check_rows", "duplicates", "row_rules", "unique_groups"]

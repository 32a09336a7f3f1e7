"""The 15 rules, on columns. Spec: validation.

``row_rules`` compiles the rules about one row, ``unique_groups`` those about all, ``group_rules``
those about the rows of one parent; ``publishing.findings_of`` returns what is wrong or has no
effect in a catalog.
"""

from tabular.validating.groups import GroupRules, group_findings, group_rules
from tabular.validating.rule import RowRule, check_rows
from tabular.validating.rules import row_rules
from tabular.validating.unique import UniqueGroup, duplicates, unique_groups

__all__ = [
    "GroupRules",
    "RowRule",
    "UniqueGroup",
    "check_rows",
    "duplicates",
    "group_findings",
    "group_rules",
    "row_rules",
    "unique_groups",
]

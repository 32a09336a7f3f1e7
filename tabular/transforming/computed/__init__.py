"""Steps that compute a column: conditions, decimals, differences of dates. See docs/recipes.md."""

from tabular.transforming.computed.arithmetic import calculate, round_
from tabular.transforming.computed.cases import when
from tabular.transforming.computed.conditions import condition_findings
from tabular.transforming.computed.differences import date_difference

__all__ = ["calculate", "condition_findings", "date_difference", "round_", "when"]

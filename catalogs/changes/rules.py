"""The requirements of a field's rules, as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

Rule = Mapping[str, Any]
WORDS = frozenset({"errorMessage", "severity"})  # a rule's text and severity, not its requirement
UPWARDS = frozenset({"lt", "lte"})
DOWNWARDS = frozenset({"gt", "gte"})
STRICT = {"lt": "lte", "gt": "gte"}


def demand_more(before: Sequence[Rule], after: Sequence[Rule]) -> bool:
    """Return whether some rule that rejects rows is new, or rejects more than before."""
    former = [_demand(rule) for rule in before if _refuses(rule)]
    return any(
        not any(_covers(had, _demand(rule)) for had in former) for rule in after if _refuses(rule)
    )


def _refuses(rule: Rule) -> bool:
    return rule.get("severity") != "warning"


def _demand(rule: Rule) -> dict[str, Any]:
    return {name: item for name, item in rule.items() if name not in WORDS}


def _covers(had: Rule, wants: Rule) -> bool:
    """Return whether fulfilling one rule always fulfils the other."""
    return had == wants or _is_loosened(had, wants)


def _is_loosened(had: Rule, wants: Rule) -> bool:
    """Return whether both rules compare a value with a bound, and the bound now accepts more."""
    if had.get("validate") != "compare" or not _bound(had) or not _bound(wants):
        return False
    others = [{n: item for n, item in r.items() if n not in ("op", "value")} for r in (had, wants)]
    if others[0] != others[1]:
        return False
    was, now = had["value"], wants["value"]
    ops = {had["op"], wants["op"]}
    further = (ops <= UPWARDS and now > was) or (ops <= DOWNWARDS and now < was)
    return bool(further or (now == was and STRICT.get(had["op"]) == wants["op"]))


def _bound(rule: Rule) -> bool:
    value = rule.get("value")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and rule.get("op") in UPWARDS | DOWNWARDS

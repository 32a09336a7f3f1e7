"""What the rules of a field demand, as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

Rule = Mapping[str, Any]
WORDS = frozenset({"errorMessage", "severity"})  # what a rule says and how loud, not what it wants
UPWARDS = frozenset({"lt", "lte"})
DOWNWARDS = frozenset({"gt", "gte"})
STRICT = {"lt": "lte", "gt": "gte"}


def demand_more(before: Sequence[Rule], after: Sequence[Rule]) -> bool:
    """Whether some rule that keeps rows back was not there before, or kept fewer back."""
    former = [_demand(rule) for rule in before if _refuses(rule)]
    return any(
        not any(_covers(had, _demand(rule)) for had in former) for rule in after if _refuses(rule)
    )


def _refuses(rule: Rule) -> bool:
    return rule.get("severity") != "warning"


def _demand(rule: Rule) -> dict[str, Any]:
    return {name: one for name, one in rule.items() if name not in WORDS}


def _covers(had: Rule, wants: Rule) -> bool:
    """Whether what keeps a rule keeps the other one too."""
    return had == wants or _is_loosened(had, wants)


def _is_loosened(had: Rule, wants: Rule) -> bool:
    """Whether both hold a value against a bound, and the bound now lets more pass."""
    if had.get("validate") != "compare" or not _bound(had) or not _bound(wants):
        return False
    others = [{n: one for n, one in r.items() if n not in ("op", "value")} for r in (had, wants)]
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

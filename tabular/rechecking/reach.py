"""How far a change of some fields reaches: what is read again, and which rules run again."""

from collections.abc import Collection
from dataclasses import dataclass

from tabular.protocol.plan import TransformPlan
from tabular.validating import row_rules
from tabular.validating.rule import RowRule


@dataclass(frozen=True, slots=True)
class Reach:
    """
    fields: paths whose values may change. rules: those whose outcome may change, all of one code at
    one field or none. needed: every path that reading and the rules use.
    """

    fields: frozenset[str]
    rules: tuple[RowRule, ...]
    needed: frozenset[str]

    def has(self, field: str, code: str) -> bool:
        """Return whether a finding may change; one row alone never changes that of ``unique``."""
        if code == "unique":
            return False
        return field in self.fields or any((r.field, r.code) == (field, code) for r in self.rules)


def reach_of(plan: TransformPlan, changed: Collection[str]) -> Reach:
    """Follow a change of the texts of some fields. changed: field paths."""
    fields = {*changed, *(path for path, by in plan.country_of.items() if by in changed)}
    every = row_rules(plan.target, paths=plan.used_fields, fed=plan.columns_by_path)
    touched = {
        (rule.field, rule.code)
        for rule in every
        if rule.field in fields or not fields.isdisjoint(rule.reads)
    }
    rules = tuple(rule for rule in every if (rule.field, rule.code) in touched)
    needed = fields.union(*(rule.reads | {rule.field} for rule in rules))
    return Reach(frozenset(fields), rules, with_countries(plan, needed))


def with_countries(plan: TransformPlan, paths: Collection[str]) -> frozenset[str]:
    """Return the fields with those that must be read before them."""
    return frozenset({*paths, *(by for path, by in plan.country_of.items() if path in paths)})

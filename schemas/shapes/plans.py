"""The wire shapes of the plan of an import."""

from typing import Any

from rest_framework import serializers

from changesets.plans.current import CurrentPlan
from changesets.plans.pages import MISSING, PlanItem, cursor_after
from common.response_size import fitting
from schemas.members import CountsField
from schemas.parameters import QueryIn
from schemas.shapes.changesets import STATUSES, ChangedFieldOut, KnownDifferenceOut
from schemas.shapes.review.questions import Anything
from tabular.resolving.known_values import SETTLED, UNDECIDED

PLANNED = [*STATUSES, MISSING]
WHY = [*SETTLED, *UNDECIDED]
WHY_HELP = (
    "kept: the policy of the field. host: only the host changed it since the last import. ask: the "
    "policy of the field asks. conflict: host and file both changed it."
)


class PlanIn(QueryIn):
    """Which items of a plan."""

    status = serializers.ChoiceField(
        choices=PLANNED,
        required=False,
        default=None,
        help_text="Rows of this status alone; missing: what is known and no row names.",
    )
    cursor = serializers.CharField(
        required=False, default="", max_length=300, help_text="`next` of the page before."
    )
    limit = serializers.IntegerField(required=False, default=500, min_value=1, max_value=10_000)


class HeldCellOut(serializers.Serializer[Any]):
    """A cell that differs from what is known, and changes nothing or waits for a decision."""

    field = serializers.CharField()
    why = serializers.ChoiceField(choices=WHY, help_text=WHY_HELP)
    known = Anything(allow_null=True, help_text="What is known now: the host's value.")
    file = Anything(allow_null=True)
    delivered = Anything(
        allow_null=True, help_text="What the last applied import said; null for none."
    )


class HeldFieldOut(serializers.Serializer[Any]):
    """A field with such cells."""

    field = serializers.CharField()
    why = serializers.ChoiceField(choices=WHY, help_text=WHY_HELP)
    rows = serializers.IntegerField(help_text="In how many rows.")


class PlanItemOut(serializers.Serializer[Any]):
    """A row and what it changes; or, without a row, something known that no row names."""

    row = serializers.IntegerField(
        allow_null=True, help_text="As in `rows/query`; null where it is missing from the file."
    )
    status = serializers.ChoiceField(choices=PLANNED)
    refs = serializers.DictField(
        child=serializers.CharField(), help_text="The known entities that it is, by entity."
    )
    changes = KnownDifferenceOut(many=True)
    values = serializers.DictField(
        child=Anything(allow_null=True),
        allow_null=True,
        help_text="What is known of a missing entity; null for a row.",
    )
    held = HeldCellOut(many=True)


class PlanEntityOut(serializers.Serializer[Any]):
    """An entity that the rows were compared with."""

    entity = serializers.CharField()
    known = serializers.IntegerField(
        help_text="How many exactly this scope knows; with `fullSync`, those with a key."
    )
    missing = serializers.IntegerField(help_text="How many of these no row names.")


class PlanOut(serializers.Serializer[Any]):
    """What the rows without errors would change, and a page of them."""

    revision = serializers.IntegerField()
    entities = PlanEntityOut(
        many=True, help_text="Empty where nothing is known: then every row is new."
    )
    counts = CountsField(
        help_text="new, changed, unchanged and unclear rows, and missing entities."
    )
    changedFields = ChangedFieldOut(
        many=True, help_text="Fields that differ from what is known, those of most rows first."
    )
    heldFields = HeldFieldOut(
        many=True, help_text="Fields whose cells differ and change nothing, or wait for a decision."
    )
    underWay = serializers.ListField(
        child=serializers.CharField(),
        help_text="Other applies of the scope that are not delivered yet, and so not compared.",
    )
    items = PlanItemOut(many=True)
    next = serializers.CharField(allow_null=True)


def shown_plan(
    plan: CurrentPlan, items: list[PlanItem], limit: int, *, sees_known: bool
) -> dict[str, Any]:
    """
    Return a page of a plan. items: the next ones, and one more if there are more.

    sees_known: without it, what no row names is not counted either.
    """
    shown = fitting(PlanItemOut(items[:limit], many=True).data)
    names = list(plan.known)
    missing = {"missing": sum(plan.missing.values())} if sees_known else {}
    return {
        "revision": plan.revision,
        "entities": [
            {"entity": name, "known": count, "missing": plan.missing[name]}
            for name, count in plan.known.items()
            if sees_known
        ],
        "counts": {**plan.counts, **missing},
        "changedFields": [{"field": name, "rows": n} for name, n in plan.changed_fields.items()],
        "heldFields": list(plan.held_fields),
        "underWay": list(plan.under_way),
        "items": shown,
        "next": cursor_after(shown[-1], names) if len(items) > len(shown) else None,
    }

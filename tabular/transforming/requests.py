"""A plan and what was settled, from and to JSON: the form in which they wait between steps."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import orjson

from tabular.model.catalog import Catalog, Context
from tabular.model.recipe import Recipe
from tabular.model.table import kinds_of, with_kinds
from tabular.transforming.plan import Plan
from tabular.transforming.settling import Settled, base_how


def plan_of(request: Mapping[str, Any]) -> Plan:
    """
    Read the plan of a request.

    request: ``catalog``, ``mapping``, ``context`` (``today`` at least), and where there are any
    ``recipe``, ``answers``, ``document`` and ``document_kinds``, ``delimiter``, ``keep``.
    """
    recipe = request.get("recipe")
    return Plan(
        catalog=Catalog.model_validate_json(orjson.dumps(request["catalog"])),
        mapping=request["mapping"],
        context=Context.model_validate_json(orjson.dumps(request["context"])),
        recipe=Recipe.model_validate_json(orjson.dumps(recipe)) if recipe else None,
        answers=request.get("answers") or {},
        document=with_kinds(request.get("document") or {}, request.get("document_kinds")),
        delimiter=request.get("delimiter"),
        keep=frozenset(request.get("keep") or ()),
    )


def settled_json(settled: Settled) -> dict[str, Any]:
    """Write what the columns decided as the result of the step holds it."""
    return {
        "documents": settled.documents,
        "documentKinds": kinds_of(settled.documents),
        "fields": {
            path: {
                "numberFormat": how.number_format,
                "dateOrder": how.date_order,
                "barePercent": how.bare_percent,
                "region": how.region,
            }
            for path, how in settled.hows.items()
        },
    }


def settled_of(plan: Plan, written: Mapping[str, Any]) -> Settled:
    """Read what ``settled_json`` wrote."""
    hows = {
        path: replace(
            base_how(path, plan.fields[path], plan),
            number_format=choices["numberFormat"],
            date_order=choices["dateOrder"],
            bare_percent=choices["barePercent"],
            region=choices.get("region") or plan.context.region,
        )
        for path, choices in written["fields"].items()
    }
    return Settled(hows, with_kinds(written["documents"], written.get("documentKinds")))

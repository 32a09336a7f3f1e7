"""From what the matcher says to what the import proposes: profiles and answers come first."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from imports.asking import COLUMN_KINDS
from imports.column_answers import Draft, answered
from imports.models import ImportRecord, Profile
from imports.recalling import Known
from ledger.services import Asked

Json = dict[str, Any]
ANSWERED = "Somebody answered this"
LIKE_LAST_TIME = "Mapped as it was for this header before"


@dataclass(frozen=True, slots=True)
class Replay:
    """A profile in the words of this file's header."""

    profile: Profile
    draft: Draft


def replay(profile: Profile | None, columns: list[str], fields: Mapping[str, Any]) -> Replay | None:
    """
    Put a profile on a header with its fingerprint; None when it can no longer be used as it is.

    A header may differ in case and blanks; a recipe names columns exactly. fields: the live ones.
    """
    if profile is None:
        return None
    same = profile.columns == columns
    if profile.recipe and not same:
        return None
    if not set(profile.mapping.values()) <= set(fields):
        return None
    name = dict(zip(profile.columns, columns, strict=True))
    mapping = {name.get(column, column): path for column, path in profile.mapping.items()}
    return Replay(profile, Draft(mapping, tuple((profile.recipe or {}).get("steps", ()))))


def with_answer(proposal: Json, draft: Draft, *, why: str) -> Json:
    """Give a proposal that proposes a draft, its columns saying what is new and why."""
    columns = [
        _shown(column, draft.mapping.get(column["column"]), why) for column in proposal["columns"]
    ]
    proposed = {"mapping": dict(draft.mapping), "steps": list(draft.steps)}
    return {**proposal, "columns": columns, "proposed": proposed}


def _shown(column: Json, field: str | None, why: str) -> Json:
    if field == column["field"]:
        return column
    return {**column, "field": field, "score": 100.0 if field else 0.0, "reason": why}


def after_answers(
    proposal: Json, draft: Draft, asked: list[Asked], known: Mapping[str, Known]
) -> Draft:
    """Carry out what is known about the columns a proposal asks about."""
    samples = samples_of(proposal)
    for one in asked:
        if one.kind in COLUMN_KINDS and one.fingerprint in known:
            draft = answered(draft, one.columns, known[one.fingerprint].value, samples=samples)
    return draft


def samples_of(proposal: Json) -> dict[str, list[str]]:
    """Give the first values of each column."""
    return {column["column"]: column["samples"] for column in proposal["columns"]}


def is_complete(record: ImportRecord) -> bool:
    """Whether every required field has a column in what is proposed."""
    required = {path for path, field in record.target.live_fields.items() if field.is_required}
    return required <= set(record.proposed.mapping.values())

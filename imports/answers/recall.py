"""What is already known when a job asks: this import's own answers, then remembered ones."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from common.actors import Actor
from common.rows import the_only
from imports.models import ImportRecord, Profile
from imports.questions import KINDS
from ledger import selectors as ledger
from ledger.models import Question
from ledger.recalled import Recalled, recall
from ledger.services import NewQuestion
from licensing.selectors import may_teach
from tabular.protocol.requests import LearnedHeaders
from tabular.vocabulary.headers import normalise

LEARNED = Actor(kind="system", id="engine", label="learned")
MOST_PROFILES = 200  # the newest; older ones teach nothing
State = Question.State


@dataclass(frozen=True, slots=True)
class RecalledAnswer:
    """What decides a question without asking a person now."""

    value: Any
    source: str = ""  # public id of the question, or of the remembered answer, that decided
    recalled: Recalled | None = None  # given for another import; the ledger then says so

    @property
    def is_learned(self) -> bool:
        """Whether it comes from another import."""
        return self.recalled is not None


def recalled_answers(
    record: ImportRecord, asked: Iterable[NewQuestion]
) -> dict[str, RecalledAnswer]:
    """
    Return what decides some questions, by fingerprint.

    1. The answer to this import's own question; a dismissed one has its default.
    2. What the tenant and scope remember, unless it no longer fits the question.
    """
    asked = list(asked)
    known = {
        question.fingerprint: _own(question)
        for question in ledger.questions_about(record.tenant, record.public_id)
        if question.state in {State.ANSWERED, State.DISMISSED}
    }
    unknown = [one for one in asked if one.fingerprint not in known]
    kept = ledger.remembered(record.tenant, record.scope, (item.fingerprint for item in unknown))
    for item in unknown:
        if item.fingerprint not in kept:
            continue
        value = kept[item.fingerprint].value
        if not may_teach(tenant=record.tenant, actor=kept[item.fingerprint].answered_by):
            continue
        fitting = KINDS[item.kind].remembered(value, item, record)
        if fitting.fits:
            found = kept[item.fingerprint]
            known[item.fingerprint] = RecalledAnswer(fitting.value, found.public_id, recall(found))
    return {one.fingerprint: known[one.fingerprint] for one in asked if one.fingerprint in known}


def _own(question: Question) -> RecalledAnswer:
    value = question.answer if question.state == State.ANSWERED else question.default
    return RecalledAnswer(value, question.learned_from or question.public_id)


def profile_for(record: ImportRecord, fingerprint: str) -> Profile | None:
    """Return the saved mapping of exactly this header."""
    return the_only(_profiles(record).filter(fingerprint=fingerprint))


def learned_headers(record: ImportRecord) -> LearnedHeaders:
    """
    Count what earlier headers of the catalog were mapped to.

    An unmapped column counts for the path ``""``; one that a recipe split or joined counts for
    nothing, because the header alone does not explain how. ``sources`` names the newest saved
    mapping of each.
    """
    counts: dict[str, dict[str, int]] = {}
    sources: dict[str, dict[str, str]] = {}
    for profile in _profiles(record).order_by("-saved_at")[:MOST_PROFILES]:
        cooked = _cooked(profile.recipe)
        for column in profile.columns:
            if column in cooked:
                continue
            name, path = normalise(column), profile.mapping.get(column, "")
            paths = counts.setdefault(name, {})
            paths[path] = paths.get(path, 0) + 1
            sources.setdefault(name, {}).setdefault(path, profile.public_id)
    return LearnedHeaders(counts, sources)


def _cooked(recipe: dict[str, Any] | None) -> set[str]:
    steps = (recipe or {}).get("steps", [])
    return {name for step in steps for name in (step.get("column"), *step.get("columns", ()))}


def _profiles(record: ImportRecord) -> "QuerySet[Profile]":
    mine = Profile.objects.filter(tenant=record.tenant, scope=record.scope)
    return mine.filter(catalog_key=record.catalog_key)

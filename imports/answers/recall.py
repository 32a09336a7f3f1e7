"""What is already known when a job asks: this import's own answers, then remembered ones."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from common.actors import Actor
from common.rows import the_only
from imports.customization import PROFILE
from imports.models import ImportRecord, Profile
from ledger import selectors as ledger
from ledger.models import Question
from ledger.recalled import recall
from licensing.models import Tenant
from licensing.selectors import may_teach
from pipeline.kinds import KINDS
from pipeline.recall import RecalledAnswer, RecalledAnswers
from pipeline.target import Target
from tabular.model.issue import NewQuestion
from tabular.protocol.requests import LearnedHeaders
from tabular.protocol.results import FileRead
from tabular.vocabulary.headers import normalise

LEARNED = Actor(kind="system", id="engine", label="learned")
MOST_PROFILES = 200  # the newest; older ones teach nothing
State = Question.State


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportMemory:
    """
    What decides the questions about one import.

    1. The answer to this import's own question; a dismissed one has its default.
    2. What the tenant and scope remember, unless it no longer fits the question.
    """

    tenant: Tenant
    scope: str
    subject: str
    target: Target

    def answers(self, questions: Sequence[NewQuestion]) -> RecalledAnswers:
        """Return what decides some questions, by fingerprint."""
        known = {
            question.fingerprint: RecalledAnswer(
                question.in_force, question.learned_from or question.public_id
            )
            for question in ledger.questions_about(self.tenant, self.subject)
            if question.state in {State.ANSWERED, State.DISMISSED}
        }
        unknown = [item for item in questions if item.fingerprint not in known]
        names = (item.fingerprint for item in unknown)
        kept = ledger.remembered(self.tenant, self.scope, names)
        for item in unknown:
            recalled = kept.get(item.fingerprint)
            if recalled is None or not may_teach(tenant=self.tenant, actor=recalled.answered_by):
                continue
            fitting = KINDS[item.kind].remembered(recalled.value, item, self.target)
            if fitting.fits:
                known[item.fingerprint] = RecalledAnswer(
                    fitting.value, recalled.public_id, recall(recalled)
                )
        return {
            item.fingerprint: known[item.fingerprint]
            for item in questions
            if item.fingerprint in known
        }

    def remembers(self, fingerprints: Collection[str]) -> list[str]:
        """Return those fingerprints that the tenant and scope remember an answer to."""
        return list(ledger.remembered(self.tenant, self.scope, fingerprints))


def profile_for(record: ImportRecord, fingerprint: str) -> Profile | None:
    """Return the saved mapping of exactly this header."""
    return the_only(_profiles(record).filter(fingerprint=fingerprint))


def named_profile(record: ImportRecord, read: FileRead) -> Profile | None:
    """Return the saved mapping that an import names, if the file has all of its columns."""
    name = (record.overlay or {}).get(PROFILE)
    if not name:
        return None
    profile = the_only(Profile.objects.filter(tenant=record.tenant, public_id=name))
    if profile is None or not set(profile.columns) <= set(read.columns):
        return None
    return profile


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

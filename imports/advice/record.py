"""What models said about imports: kept with the prompt's digest, so that a replay asks no model."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from imports.advice.client import the_model
from imports.models import ImportRecord
from ledger.models import ModelAnswer, Question
from licensing.models import Tenant
from pipeline.advice import columns, options, recipes
from pipeline.advice.prompt import Prompt
from pipeline.advice.weight import weight

RECENT = 200  # answers of a model that its weight follows from
Json = dict[str, Any]
KIND_OF = {columns.TASK: "column", options.TASK: "category_value"}  # of questions, by task


@dataclass(frozen=True, slots=True)
class ModelProposal:
    """What a model proposed, and how much that is worth."""

    model: str
    weight: float
    proposed: Json


def proposal_about(
    record: ImportRecord, prompt: Prompt, read: Callable[[str], Json], *, at: datetime
) -> ModelProposal | None:
    """
    Return what a model says to a prompt about an import: what it said before, or says now.

    read: reads its answer strictly. None if no model is named, or if it does not answer.
    """
    mine = ModelAnswer.objects.filter(tenant=record.tenant, subject=record.public_id)
    kept = mine.filter(prompt_digest=prompt.digest).first()
    if kept is not None:
        return _proposal(kept)
    model = the_model()
    content = model.ask(prompt) if model is not None else None
    if model is None or content is None:
        return None
    advice = ModelProposal(
        model.name, weight(*_heard(record.tenant, model.name, prompt.task)), read(content)
    )
    ModelAnswer.objects.get_or_create(
        subject=record.public_id,
        prompt_digest=prompt.digest,
        defaults={
            "tenant": record.tenant,
            "task": prompt.task,
            "model": advice.model,
            "answer": content,
            "proposed": advice.proposed,
            "weight": advice.weight,
            "answered_at": at,
        },
    )
    return advice


def kept_proposals(record: ImportRecord, task: str) -> list[ModelProposal]:
    """Return all that models proposed for an import before, the first one first."""
    mine = ModelAnswer.objects.filter(tenant=record.tenant, subject=record.public_id, task=task)
    return [_proposal(kept) for kept in mine.order_by("pk")]


def _proposal(kept: ModelAnswer) -> ModelProposal:
    return ModelProposal(kept.model, kept.weight, dict(kept.proposed))


def _heard(tenant: Tenant, model: str, task: str) -> tuple[int, int]:
    """Return how many of a model's proposals people took, and how many they answered otherwise."""
    mine = ModelAnswer.objects.filter(tenant=tenant, model=model, task=task).order_by("-pk")
    by_subject: dict[str, list[Json]] = {}
    for subject, proposed in mine.values_list("subject", "proposed")[:RECENT]:
        by_subject.setdefault(subject, []).append(proposed)
    if task == recipes.TASK:
        return _applied(tenant, by_subject)
    answered = Question.objects.filter(
        tenant=tenant,
        subject__in=by_subject,
        kind=KIND_OF[task],
        state=Question.State.ANSWERED,
        learned_from="",
    )
    taken = refused = 0
    for question in answered.only("subject", "field", "columns", "evidence", "answer"):
        proposals = [
            _value_for(question, proposed, task) for proposed in by_subject[question.subject]
        ]
        value = next((item for item in proposals if item is not None), None)
        if value is not None:
            is_taken = question.answer == value
            taken, refused = taken + is_taken, refused + (not is_taken)
    return taken, refused


def _applied(tenant: Tenant, by_subject: Mapping[str, list[Json]]) -> tuple[int, int]:
    """Return how many proposed recipes people applied, and how many they applied rows without."""
    taken = refused = 0
    applied = ImportRecord.objects.filter(
        tenant=tenant, public_id__in=by_subject, state=ImportRecord.State.APPLIED
    )
    for record in applied.only("public_id", "decided"):
        mapping, done = record.mapping or {}, (record.recipe or {}).get("steps", ())
        for proposed in by_subject[record.public_id]:
            for column, steps_of in proposed.items():
                if not steps_of["steps"] or mapping.get(column) != steps_of["field"]:
                    continue
                is_taken = all(step in done for step in steps_of["steps"])
                taken, refused = taken + is_taken, refused + (not is_taken)
    return taken, refused


def _value_for(question: Question, proposed: Mapping[str, Any], task: str) -> Any:
    """Return what was proposed as the answer to a question; None if nothing was."""
    if task == options.TASK:
        texts = proposed.get(question.field, {})
        return texts.get(question.evidence[0]) if question.evidence else None
    return proposed.get(question.columns[0]) if len(question.columns) == 1 else None

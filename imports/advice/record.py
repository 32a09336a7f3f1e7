"""What models said about imports: kept with the prompt's digest, so that a replay asks no model."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from imports.advice.client import the_model
from imports.models import ImportRecord
from ledger.models import ModelAnswer, Question
from licensing.models import Tenant
from pipeline.advice.prompt import Prompt
from pipeline.advice.weight import weight

RECENT = 200  # answers of a model that its weight follows from


@dataclass(frozen=True, slots=True)
class ModelProposal:
    """What a model proposed, and how much that is worth."""

    model: str
    weight: float
    proposed: dict[str, str]


def proposal_about(
    record: ImportRecord,
    prompt: Prompt,
    read: Callable[[str], dict[str, str]],
    *,
    at: datetime,
) -> ModelProposal | None:
    """
    Return what a model says to a prompt about an import: what it said before, or says now.

    read: reads its answer strictly. None if no model is named, or if it does not answer.
    """
    mine = ModelAnswer.objects.filter(tenant=record.tenant, subject=record.public_id)
    kept = mine.filter(prompt_digest=prompt.digest).first()
    if kept is not None:
        return ModelProposal(kept.model, kept.weight, dict(kept.proposed))
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


def _heard(tenant: Tenant, model: str, task: str) -> tuple[int, int]:
    """Return how many of a model's proposals people took, and how many they answered otherwise."""
    mine = ModelAnswer.objects.filter(tenant=tenant, model=model, task=task).order_by("-pk")
    by_subject: dict[str, dict[str, str]] = {}
    for subject, proposed in mine.values_list("subject", "proposed")[:RECENT]:
        by_subject.setdefault(subject, {}).update(proposed)
    answered = Question.objects.filter(
        tenant=tenant,
        subject__in=by_subject,
        kind="column",
        state=Question.State.ANSWERED,
        learned_from="",
    )
    taken = refused = 0
    for subject, columns, answer in answered.values_list("subject", "columns", "answer"):
        path = by_subject[subject].get(columns[0]) if len(columns) == 1 else None
        if path is not None:
            taken, refused = taken + (answer == path), refused + (answer != path)
    return taken, refused

"""Have a model propose options for texts that are none of a field's options."""

from collections.abc import Collection, Sequence
from datetime import datetime

from imports import inputs
from imports.advice.record import ModelProposal, kept_proposals, proposal_about
from imports.models import ImportRecord
from pipeline.advice.options import TASK, OptionAdvice, open_texts, with_options
from tabular.model.issue import NewQuestion


def with_proposed_options(
    record: ImportRecord,
    questions: Sequence[NewQuestion],
    known: Collection[str],
    *,
    at: datetime,
) -> list[NewQuestion]:
    """
    Return the questions about values with what a model adds to their candidates.

    known: fingerprints of those with an answer. A model is asked only if the tenant lets it see the
    form of values: without it, there is nothing to tell one text from another by. Without an
    answer, nothing is added. No answer follows from it.
    """
    target = inputs.target_of(record)
    kept = [_advice(proposal) for proposal in kept_proposals(record, TASK)]
    if record.tenant.shows_models_samples:
        still_open = [item for item in questions if item.fingerprint not in known]
        texts = open_texts(still_open, target.fields, target.options_of, earlier=kept)
        proposed = texts and proposal_about(record, texts.prompt, texts.proposed, at=at)
        kept += [_advice(proposed)] if proposed else []
    return with_options(questions, kept, target.options_of)


def _advice(proposal: ModelProposal) -> OptionAdvice:
    return OptionAdvice(proposal.model, proposal.weight, proposal.proposed)

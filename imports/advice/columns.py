"""Have a model propose fields for the columns that the matcher left out."""

from datetime import datetime

from imports.advice.record import proposal_about
from imports.advice.trial import tried
from imports.inputs import StoredText
from imports.models import ImportRecord
from imports.progress import Reporter
from pipeline.advice.columns import Advice, open_columns, with_advice
from pipeline.decide import Policy
from pipeline.kinds import with_fingerprints
from pipeline.proposal import Proposal
from tabular.model.issue import NewQuestion


def advised(
    record: ImportRecord,
    proposal: Proposal,
    text: StoredText,
    policy: Policy,
    reporter: Reporter,
    *,
    at: datetime,
) -> tuple[Proposal, list[NewQuestion]]:
    """
    Return a proposal with what a model adds to it, and the questions that this raises.

    The mapping never changes by it. Without a model, or without an answer, nothing is added.
    """
    fields = record.target.offered_fields
    columns = open_columns(
        proposal, fields, taken=policy.given, samples=record.tenant.shows_models_samples
    )
    proposed = columns and proposal_about(record, columns.prompt, columns.proposed, at=at)
    if not proposed or not proposed.proposed:
        return proposal, []
    advice = Advice(proposed.model, proposed.weight, proposed.proposed)
    trials = tried(record, text, proposed.proposed, reporter)
    missing = frozenset(policy.missing(proposal.draft.mapping))
    proposal, questions = with_advice(proposal, advice, trials, fields, missing=missing)
    return proposal, with_fingerprints(questions, read=text.read, catalog_key=record.catalog_key)

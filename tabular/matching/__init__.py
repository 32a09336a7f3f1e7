"""Match source columns to catalog fields, and ask instead of guessing. Spec: What the service does.

``propose`` is the only entry point: it takes names and a sample of values, and returns a proposal
with reasons and questions. It knows no file, no database and no clock; the same input gives the
same proposal.
"""

from tabular.matching.learning import (
    Learned,
    candidate_fields,
    fingerprint,
    question_fingerprint,
    similarity,
)
from tabular.matching.proposing import propose

__all__ = [
    "Learned",
    "candidate_fields",
    "fingerprint",
    "propose",
    "question_fingerprint",
    "similarity",
]

"""
Texts that several imports brought for a field with options, and that no option takes.

They are read from the questions that the imports asked, so nothing is stored for it: what is
deleted with an import, by retention or an erasure, is counted no more. A text is a cell. It is
shown to the tenant's own staff alone, and only if different imports brought it: what a single
file has may be a person's.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from catalogs.additions import option_key
from ledger.models import Question
from licensing.models import Tenant
from pipeline.kind import text_fingerprint

MOST_QUESTIONS = 1_000  # that are read, the newest
LEAST_IMPORTS = 3
LONGEST = 200  # characters; longer ones are prose
MOST = 20


@dataclass(frozen=True, slots=True)
class FailedText:
    """A text that no option of a field takes, and in how many imports."""

    field: str
    text: str
    imports: int
    undecided: int  # of the imports; in the others a person chose an option


def newest(tenant: Tenant, key: str, *, since: date) -> Sequence[FailedText]:
    """Return the texts that failed in most imports into a catalog, of its newest questions."""
    questions = Question.objects.filter(tenant=tenant, kind="category_value").order_by("-pk")
    names = ("field", "evidence", "fingerprint", "subject", "state", "learned_from", "asked_at")
    imports: dict[tuple[str, str], set[str]] = {}
    undecided: Counter[tuple[str, str]] = Counter()
    texts: dict[tuple[str, str], str] = {}
    for field, evidence, fingerprint, subject, state, learned, at in questions.values_list(*names)[
        :MOST_QUESTIONS
    ]:
        text = _text(evidence)
        if learned or at.date() < since or not text:
            continue
        # Two catalogs may have fields with the same path: the fingerprint tells them apart.
        if text_fingerprint(field, text, catalog_key=key) != fingerprint:
            continue
        place = (field, option_key(text))
        texts.setdefault(place, text.strip())
        if subject not in imports.setdefault(place, set()):
            imports[place].add(subject)
            undecided[place] += state != Question.State.ANSWERED
    often = {place: names for place, names in imports.items() if len(names) >= LEAST_IMPORTS}
    ordered = sorted(often, key=lambda place: (-len(often[place]), place))
    return [
        FailedText(place[0], texts[place], len(often[place]), undecided[place])
        for place in ordered[:MOST]
    ]


def _text(evidence: Any) -> str:
    text = str(evidence[0]) if evidence else ""
    return text if len(text) <= LONGEST and text.isprintable() else ""

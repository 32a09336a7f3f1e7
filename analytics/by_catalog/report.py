"""
What product people ask about a catalog: how far imports come, and what has to be corrected.

Steps, questions, issues and edits come from counts of days. Headers and texts are those of the
newest corrections and remembered answers, so every read is bounded.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from analytics.by_catalog import corrected_headers, counts
from analytics.by_catalog.corrected_headers import HeaderCount
from analytics.by_catalog.journeys import STEPS
from analytics.by_catalog.screens import Screen, screens
from analytics.days import Counts, median
from catalogs.additions import option_key
from ledger.models import Answer
from licensing.models import Tenant
from pipeline.kind import text_fingerprint

MOST = 10  # questions, issues and fields that are named
MOST_NAMED = 20  # headers and texts that are named
MOST_ANSWERS = 1_000  # remembered answers that are read, the newest
LONGEST_TEXT = 200  # characters; longer ones are prose
LEAST_SEEN = 2  # imports; a header of fewer may be a cell of a table without headers
LEAST_SCOPES = 2  # customers who write a text, before it may be shown to all


@dataclass(frozen=True, slots=True)
class Step:
    """
    How many imports did a step, and what became of those that went no further.

    seconds: the median since the step before. waiting: neither over nor further; failed, too.
    """

    name: str
    imports: int
    share: float | None  # of the uploads; None without any
    seconds: float | None
    gave_up: int
    left: int
    waiting: int


@dataclass(frozen=True, slots=True)
class AskedKind:
    """
    Questions of one kind about one field. seconds: until people answered, all together.

    left_open: those that were open when an import was given up or deleted.
    """

    kind: str
    field: str  # empty: about no field
    questions: int
    seconds: int
    left_open: int


@dataclass(frozen=True, slots=True)
class Trouble:
    """An issue by its code, or a field whose cells people edited: in how many imports and cells."""

    name: str
    imports: int
    cells: int


@dataclass(frozen=True, slots=True)
class Text:
    """A text that people took for an option of a field, and in how many imports."""

    field: str
    text: str
    value: Any
    imports: int
    disputed: bool  # others took it for another option
    private: bool  # one customer alone writes it, of a tenant that has scopes


@dataclass(frozen=True, slots=True)
class Report:
    """What happened in some days, and what is remembered."""

    since: date
    steps: Sequence[Step]
    screens: Sequence[Screen]  # of the widget, as it reports them
    questions: Sequence[AskedKind]
    issues: Sequence[Trouble]
    edits: Sequence[Trouble]
    headers: Sequence[HeaderCount]  # all that were read; callers show the first
    texts: Sequence[Text]

    def headers_for(self, *, cells: bool) -> Sequence[HeaderCount]:
        """
        Return the headers that are shown. cells: whether the caller may see cells.

        Where the first row was taken for headers by mistake, these are cells, of that file alone.
        """
        shown = [
            item for item in self.headers if cells or not item.header or item.imports >= LEAST_SEEN
        ]
        return shown[:MOST_NAMED]


def report(tenant: Tenant, key: str, *, today: date, days: int) -> Report:
    """Return the report of a catalog over some days, of the tenant's own imports alone."""
    since = today - timedelta(days=days - 1)
    total = counts.stored(tenant.public_id, key, since=since)
    return Report(
        since=since,
        steps=list(steps(total)),
        screens=screens(total),
        questions=_questions(total),
        issues=_troubles(total, counts.ISSUES, counts.ISSUES_IN),
        edits=_troubles(total, counts.EDITED, counts.EDITED_IN),
        headers=corrected_headers.newest(tenant.public_id, key),
        texts=_texts(tenant, key),
    )


def steps(total: Counts) -> Sequence[Step]:
    """
    Return the steps with their numbers.

    >>> [(step.name, step.imports, step.waiting) for step in steps(Counter({
    ...     "reached:uploaded": 9, "reached:table": 8, "gave_up:uploaded": 1}))][:2]
    [('uploaded', 9, 0), ('table', 8, 8)]
    """
    reached = [total[f"{counts.REACHED}{name}"] for name in STEPS]
    return [
        Step(
            name=name,
            imports=number,
            share=number / reached[0] if reached[0] else None,
            seconds=median(total, f"{counts.TOOK}{name}:") if place else None,
            gave_up=total[f"{counts.GAVE_UP}{name}"],
            left=total[f"{counts.LEFT}{name}"],
            waiting=_waiting(total, name, number - reached[place + 1])
            if place + 1 < len(STEPS)
            else 0,
        )
        for place, (name, number) in enumerate(zip(STEPS, reached, strict=True))
    ]


def _waiting(total: Counts, name: str, not_further: int) -> int:
    over = total[f"{counts.GAVE_UP}{name}"] + total[f"{counts.LEFT}{name}"]
    return max(0, not_further - over)


def _named(total: Counts, beginning: str) -> Counts:
    length = len(beginning)
    return Counter({name[length:]: n for name, n in total.items() if name.startswith(beginning)})


def _questions(total: Counts) -> list[AskedKind]:
    """Return the questions that took people longest, all together; then those left open."""
    seconds, answered = _named(total, counts.ANSWERED_S), _named(total, counts.ASKED)
    left_open, questions = _named(total, counts.LEFT_OPEN), []
    for name in answered | left_open:
        kind, _, field = name.partition(":")
        questions.append(AskedKind(kind, field, answered[name], seconds[name], left_open[name]))
    ordered = sorted(questions, key=lambda item: (-item.seconds, -item.left_open, item.kind))
    return ordered[:MOST]


def _troubles(total: Counts, cells: str, imports: str) -> list[Trouble]:
    """Return what was seen in most imports."""
    by_name = _named(total, cells)
    return [
        Trouble(name, number, by_name[name])
        for name, number in _named(total, imports).most_common(MOST)
    ]


def _texts(tenant: Tenant, key: str) -> list[Text]:
    """Return the texts of the newest remembered answers about options of this catalog."""
    answers = Answer.objects.filter(tenant=tenant, kind="category_value").order_by("-pk")
    names = ("field", "evidence", "value", "fingerprint", "taught_by", "scope")
    taken: dict[tuple[str, str], Counter[str]] = {}
    as_given: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {}
    scopes: dict[tuple[str, str], set[str]] = {}
    rows = answers.values_list(*names)[:MOST_ANSWERS]
    for field, evidence, value, fingerprint, taught, scope in rows:
        text = str(evidence[0]) if evidence else ""
        # Two catalogs may have fields with the same path: the fingerprint tells them apart.
        if (
            not 0 < len(text) <= LONGEST_TEXT
            or text_fingerprint(field, text, catalog_key=key) != fingerprint
        ):
            continue
        place = (field, option_key(text))
        scopes.setdefault(place, set()).add(scope)
        taken.setdefault(place, Counter())[repr(value)] += max(1, len(taught))
        as_given.setdefault(place, (text.strip(), {}))[1][repr(value)] = value
    has_scopes = any(any(names) for names in scopes.values())
    shown = []
    for place, options in taken.items():
        (most, imports), *others = options.most_common()
        text, values = as_given[place]
        private = has_scopes and len(scopes[place]) < LEAST_SCOPES
        shown.append(Text(place[0], text, values[most], imports, bool(others), private))
    return sorted(shown, key=lambda item: (-item.imports, item.field, item.text))

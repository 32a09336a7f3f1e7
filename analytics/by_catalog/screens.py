"""
What the widget reports: how long a person saw a step, and in which one the page was closed.

The engine's own states do not say that: an import waits for its columns from the moment they are
proposed, whether a person looks at them or not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from analytics.by_catalog.counts import CLOSED, SAW, Counts, add, is_counted, key_of
from analytics.days import median, step
from imports.models import ImportRecord

STEPS = ("upload", "table", "columns", "review", "import")
LONGEST_S = 86_400  # a page that is open for longer is not looked at


@dataclass(frozen=True, slots=True)
class Screen:
    """
    A step of the widget: how often it was seen, the median of its seconds, and closed pages.

    closed: pages that were closed there before the import had ended.
    """

    name: str
    seen: int
    seconds: float | None
    closed: int


def note(record: ImportRecord, *, name: str, seconds: float, was_closed: bool) -> None:
    """Count that a person saw a step. Imports that the analytics leave out are left out here."""
    if not is_counted(record):
        return
    counts = Counts({f"{SAW}{name}:{step(min(seconds, LONGEST_S))}": 1})
    if was_closed and record.state not in ImportRecord.ENDED:
        counts[f"{CLOSED}{name}"] = 1
    with transaction.atomic():
        # Who erases a tenant deletes its imports first: then nothing is counted any more.
        if ImportRecord.objects.select_for_update().filter(pk=record.pk).exists():
            add({key_of(record): counts})


def screens(total: Counts) -> Sequence[Screen]:
    """
    Return the steps of the widget with their numbers.

    >>> [(s.name, s.seen, s.seconds, s.closed) for s in screens(Counts({
    ...     "saw:columns:24": 3, "saw:columns:40": 2, "closed:columns": 1}))][2]
    ('columns', 5, 64.0, 1)
    """
    return [
        Screen(
            name=name,
            seen=sum(n for key, n in total.items() if key.startswith(f"{SAW}{name}:")),
            seconds=median(total, f"{SAW}{name}:"),
            closed=total[f"{CLOSED}{name}"],
        )
        for name in STEPS
    ]

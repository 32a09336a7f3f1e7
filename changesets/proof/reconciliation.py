"""
What a receiver reported about rows, compared with what was delivered. Pure.

A receiver's words for a row are its own. Two things can contradict a delivery: the receiver refused
the row, or it created a row that was known, or took for known one that was new. Whether a known row
was then updated or left as it was, is the receiver's to decide, and its rows are the same.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from deliveries.answer import is_refused

Known = Callable[[int], str | None]  # what a row was when it was delivered
Outcome = Literal["agreed", "differs", "notAnswered"]
OUTCOMES: tuple[Outcome, ...] = ("agreed", "differs", "notAnswered")
NEW = "new"
KNOWN = frozenset({"changed", "unchanged"})
CREATED = frozenset({"created", "inserted", "added", "new"})
KEPT = frozenset(
    {"updated", "changed", "modified", "merged", "replaced", "unchanged", "matched", "exists"}
)


def judge(answer: str | None, known: str | None) -> Outcome:
    """
    Judge what a receiver reported about a row.

    answer: its status, None without one. known: what the row was when it was delivered (new,
    changed, unchanged, unclear), None if nothing was compared.

    >>> judge("created", "new"), judge("updated", "new"), judge("Rejected", None)
    ('agreed', 'differs', 'differs')
    >>> judge(None, "new")
    'notAnswered'
    """
    if answer is None:
        return "notAnswered"
    word = answer.strip().lower()
    contradicts = (word in KEPT and known == NEW) or (word in CREATED and known in KNOWN)
    return "differs" if contradicts or is_refused(answer) else "agreed"


@dataclass(frozen=True, slots=True)
class Tally:
    """How many rows have each outcome; ``refused`` ones are among those that differ."""

    rows: int = 0
    agreed: int = 0
    differs: int = 0
    refused: int = 0

    @property
    def not_answered(self) -> int:
        """Rows about which nothing was reported."""
        return self.rows - self.agreed - self.differs

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.rows + other.rows,
            self.agreed + other.agreed,
            self.differs + other.differs,
            self.refused + other.refused,
        )

    def of(self, outcome: Outcome) -> int:
        """Return how many rows have an outcome."""
        return {
            "agreed": self.agreed,
            "differs": self.differs,
            "notAnswered": self.not_answered,
        }[outcome]


def tally(answers: Mapping[int, str], known: Known, row_count: int) -> Tally:
    """
    Count the outcomes of one delivery. answers: by row; rows may be missing.

    >>> tally({0: "created", 2: "failed"}, lambda row: None, 4)
    Tally(rows=4, agreed=1, differs=1, refused=1)
    """
    outcomes = [judge(answer, known(row)) for row, answer in answers.items()]
    return Tally(
        rows=row_count,
        agreed=outcomes.count("agreed"),
        differs=outcomes.count("differs"),
        refused=sum(map(is_refused, answers.values())),
    )


def rows_with(
    outcome: Outcome | None,
    answers: Mapping[int, str],
    known: Known,
    rows: range,
) -> Iterable[int]:
    """Return the rows of a range that have an outcome, ascending; None: all of them."""
    if outcome is None:
        return rows
    if outcome == "notAnswered":
        return (row for row in rows if row not in answers)
    return (
        row for row in sorted(answers) if row in rows and judge(answers[row], known(row)) == outcome
    )

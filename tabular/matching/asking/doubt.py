"""A doubt that only a user can resolve, and which columns are worth one."""

from dataclasses import dataclass

from tabular.detecting import Profile
from tabular.matching.evidence import Evidence
from tabular.vocabulary.lexicon import lexicon

CLOSE = 0.08  # scores this close count as equal
ALSO = 0.58  # a worse fit is not a second field


@dataclass(frozen=True, slots=True)
class Doubt:
    """Columns and fields that only a user can pair."""

    columns: frozenset[int]
    fields: frozenset[int]
    why: str
    joined: bool = False  # the columns together make the field
    split: bool = False  # the column holds all the fields
    may_leave: bool = False  # skipping the column is an answer, too
    is_unlikely: bool = False  # unless answered, the column is skipped


def worth_asking(profile: Profile) -> bool:
    """Return whether a column has different values."""
    return not profile.is_empty and not profile.is_constant


def is_helper(evidence: Evidence, column: int) -> bool:
    """Return whether a column only describes another: its type, label, unit or order."""
    concepts = lexicon().concepts
    read = evidence.named[column].meanings
    return bool(read) and all(concepts[meaning.head].helper for meaning in read)


def merged(doubts: list[Doubt]) -> list[Doubt]:
    """Merge all doubts that share a column or a field."""
    kept: list[Doubt] = []
    for doubt in doubts:
        alike = [d for d in kept if d.columns & doubt.columns or d.fields & doubt.fields]
        for other in alike:
            kept.remove(other)
            doubt = Doubt(
                doubt.columns | other.columns,
                doubt.fields | other.fields,
                other.why,
                doubt.joined or other.joined,
                doubt.split or other.split,
                doubt.may_leave or other.may_leave,
                doubt.is_unlikely and other.is_unlikely,
            )
        kept.append(doubt)
    return sorted(kept, key=lambda d: sorted(d.columns))

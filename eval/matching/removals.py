"""
What the ablation removes: each rule, feature and constant of matching, and what takes its place.

A constant is replaced by the number with which its rule has no effect, a function by one that finds
nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from tabular.matching.features import FEATURES
from tabular.matching.weighing import CONTEXT

NEVER = 1e9
# Nothing in the labelled sets has detectors, unique fields or earlier answers: tests hold these.
UNMEASURED = frozenset({"detected", "undetected", "repeating"})


def none(*_: object) -> tuple[()]:
    """Find nothing."""
    return ()


def false(*_: object) -> bool:
    """Refuse everything."""
    return False


def same(value: Any, *_: object) -> Any:
    """Leave a value as it is."""
    return value


# By module of tabular: (name, what takes its place), separated by what has to be computed again.
READ: dict[str, tuple[tuple[str, Any], ...]] = {
    "matching.comparing": (
        ("FOREIGN", 0.0), ("BEHIND", 0.0), ("IMPLIED", 0.0), ("CONFLICT", 1.0),
        ("SOFT_CONFLICT", 1.0), ("UNKNOWN_SAID", 0.0), ("UNKNOWN_MISSING", 0.0), ("HELPER", 1.0),
        ("PARTLY", 0.0), ("WRITTEN", {}), ("LATER_ORDINAL", 0.0), ("UNSAID", 1.0),
        ("GENERIC", 0.0), ("PARTY_COST", 1.0), ("OF_WHAT", 0.0), ("_says_little", false),
    ),
    "matching.lexical": (
        ("COMMON", 1.0), ("SAME_STEM", 0.0), ("COGNATE", 0.0), ("ABBREVIATED", 0.0), ("PART", 0.0),
    ),
    "matching.scoring": (("OTHER_WORDS", 1.0), ("NAMESAKE", 0.0), ("is_vetoed", false)),
    "matching.values": (("EMPTY", 1.0), ("VETO", 1.0), ("guess_by_values", lambda *_: 0.0)),
    "matching.currencies": (("with_currency_names", same), ("names_other_currency", false)),
    "matching.candidates": (("TELLING", NEVER), ("MOST", 1000)),
    "vocabulary.meaning": (("DESCRIBED", 0.0), ("LATER", 1.0), ("_at_an_address", same),
                           ("_meaning_of_unknown", none), ("_last_head", none)),
    "vocabulary.names": (
        ("FOREIGN_LANGUAGE", 1.0), ("HALF", 0.0), ("ALIAS", 1.0), ("MOST_LANGUAGES", 1),
        ("CLEARER", NEVER), ("LONGEST_DESCRIPTION", 0), ("SHARED", NEVER), ("COUNTED", 1.0),
        ("reread", same), ("_suits", lambda *_: True),
    ),
    "vocabulary.words": (
        ("_half_known", lambda *_: None), ("_typo", none), ("_abbreviation", none),
        ("_compound", none), ("BORROWED_COST", NEVER),
    ),
    "vocabulary.lexicon": (("are_cognates", lambda first, other: first == other),),
    "vocabulary.sentences": (("reduced", same),),
}  # fmt: skip
DECIDED: dict[str, tuple[tuple[str, Any], ...]] = {
    "matching.weighing": (("WIDEST", NEVER), ("NOTHING", 1.0)),
    "matching.proposing": (
        ("LEAST", 0.0), ("FLOOR", -NEVER), ("FEWEST", 0), ("EXACT", 0), ("BASE", 0.0),
    ),
    "matching.asking.situations": (
        ("rivals", none), ("as_probable", none), ("torn", none), ("lost_namesakes", none),
        ("_several_fields", none), ("_labelled", none), ("_displaced", none),
        ("_named_in_text", none), ("_odd_namesakes", none), ("splits", none),
        ("whole_names", none), ("joins", none), ("doubtful", none), ("unfilled", none),
        ("possible", none), ("last_ones", none), ("BARE", 0.04), ("SETTLED", 1.0),
    ),
    "matching.asking.rivals": (
        ("differ_in_length", false), ("_say_both", false), ("OVERLAP", NEVER), ("EQUAL", 0.0),
        ("FAIR", -NEVER), ("PART_OF_IT", 0.0),
    ),
    "matching.asking.doubt": (("is_helper", false), ("worth_asking", lambda *_: True)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Removal:
    """A rule, a constant or a feature, and what takes its place."""

    part: str  # the module, or the layer of the model
    name: str
    again: Literal["fit", "read", "decide"]  # what is computed without it

    @property
    def title(self) -> str:
        """The name with its part."""
        return f"{self.part} {self.name}"

    def replacement(self) -> Any:
        """Return what takes the place of a rule or constant."""
        table = READ if self.again == "read" else DECIDED
        return dict(table[self.part])[self.name]


def removals() -> Iterator[Removal]:
    """Yield everything that can be removed."""
    for name in FEATURES:
        if name not in UNMEASURED:
            yield Removal("pair", name, "fit")
    for name in CONTEXT:
        yield Removal("context", name, "fit")
    tables: tuple[tuple[Literal["decide", "read"], Any], ...] = (
        ("decide", DECIDED),
        ("read", READ),
    )
    for again, table in tables:
        for part, named in table.items():
            yield from (Removal(part, name, again) for name, _ in named)

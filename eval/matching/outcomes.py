"""
What a proposal does to each column of a labelled file, and its price.

An error that no one sees costs most, and a question costs attention: most of all one to which "none
of these" is the answer, or that does not offer the right field.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tabular.matching import candidate_fields
from tabular.model.catalog import Catalog
from tabular.model.mapping import MappingProposal

PRICES: Mapping[str, float] = {
    "left out": 10.0,  # in silence, though a field fits
    "wrong": 10.0,  # another field, in silence
    "taken": 10.0,  # a field, in silence, though none fits
    "guessed": 5.0,  # one of several equal fields, in silence: wrong half of the time
    "misled": 3.0,  # asked without the right field among the answers
    "needless": 2.0,  # asked though nothing fits
    "asked": 1.0,  # asked with the right field among the answers
    "right": 0.0,
}
SEEDS = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class LabelledFile:
    """A header, its columns of cells, a catalog, and the field of each column."""

    about: str
    catalog_name: str
    catalog: Catalog
    header: tuple[str, ...]
    cells: Sequence[Sequence[str | None]]
    truth: Mapping[str, object]


def outcomes(proposal: MappingProposal, truth: Mapping[str, object]) -> dict[str, str]:
    """Return what happens to each column: a key of ``PRICES``."""
    offered_fields: dict[str, set[str]] = {}
    for question in proposal.questions:
        for column in question.columns:
            offered_fields.setdefault(column, set()).update(candidate_fields(question))
    mapped = {column.column: column.field for column in proposal.columns}
    used = _groups_in_use(truth, mapped, offered_fields)
    return {
        column: _ambiguous(wanted, mapped[column], offered_fields.get(column), used)
        if isinstance(wanted, dict)
        else _outcome(wanted, mapped[column], offered_fields.get(column))
        for column, wanted in truth.items()
    }


def _groups_in_use(
    truth: Mapping[str, object],
    mapped: Mapping[str, str | None],
    offered_fields: Mapping[str, set[str]],
) -> set[str]:
    """Return the groups of equal columns of which one at least has a field or a question."""
    return {
        wanted["group"]
        for column, wanted in truth.items()
        if isinstance(wanted, dict) and (mapped[column] or column in offered_fields)
    }


def _outcome(wanted: object, field: str | None, offered_fields: set[str] | None) -> str:
    if offered_fields is not None:
        return "needless" if wanted is None else "asked" if wanted in offered_fields else "misled"
    if field == wanted:
        return "right"
    return "left out" if field is None else "taken" if wanted is None else "wrong"


def _ambiguous(
    wanted: Mapping[str, object], field: str | None, offered_fields: set[str] | None, used: set[str]
) -> str:
    fields = set(wanted["ambiguous"])  # type: ignore[call-overload]
    if offered_fields is not None:
        return "asked" if offered_fields & fields else "misled"
    if field is not None:
        return "guessed" if field in fields else "wrong"
    return "right" if wanted["group"] in used else "left out"


def price(counts: Mapping[str, int]) -> float:
    """Return the price of a hundred columns."""
    total = sum(counts.values())
    return 100 * sum(PRICES[name] * number for name, number in counts.items()) / (total or 1)


def f1(counts: Mapping[str, int], fields: int) -> float:
    """Return F1 of the proposals; fields: columns that have one field."""
    right = counts["fed"]
    proposed = right + counts["wrong"] + counts["taken"]
    return 2 * right / (proposed + fields) if proposed + fields else 0.0


def shuffled(file: LabelledFile, seed: int) -> LabelledFile:
    """Return a file with its columns, and its catalog's fields, in another order."""
    drawn = random.Random(f"{seed} {file.about}")
    order = list(range(len(file.header)))
    drawn.shuffle(order)
    entries = tuple(
        entry.model_copy(
            update={"fields": tuple(drawn.sample(list(entry.fields), len(entry.fields)))}
        )
        for entry in file.catalog.entries
    )
    return replace(
        file,
        catalog=Catalog(key=file.catalog.key, entries=entries),  # a copy would keep its paths
        header=tuple(file.header[place] for place in order),
        cells=[file.cells[place] for place in order],
    )


def silenced(before: Mapping[str, str], after: Mapping[str, str]) -> Counter[str]:
    """Count the columns that shuffling turned from a field or a question into silence."""
    return Counter(
        "silenced" if after[column] == "left out" and was != "left out" else "kept"
        for column, was in before.items()
    )

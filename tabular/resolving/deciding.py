"""Find the entity that each text of a field means: exactly, as learned, or by similarity."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.resolving.entities import Entities
from tabular.resolving.likeness import alike
from tabular.resolving.pointers import Pointer
from tabular.types.similarity import MARGIN

OFFERED = 5
NO_ENTITY = -1


class Outcome(IntEnum):
    """The result for a text."""

    KNOWN = 1  # an entity that was known before
    IN_FILE = 2  # another entity of the file, not known before
    CREATED = 3  # an entity that is created for it
    IGNORED = 4  # no entity, and the text stays as it is
    LEFT_OUT = 5  # no entity, and the text is delivered as null
    MISSING = 6  # no entity, which is an error
    UNSURE = 7  # several entities


MISSING_AS = {
    "create": Outcome.CREATED,
    "ignore": Outcome.IGNORED,
    "null": Outcome.LEFT_OUT,
    "error": Outcome.MISSING,
}
FOUND = (Outcome.KNOWN, Outcome.IN_FILE, Outcome.CREATED)


DECIDED = pa.schema(
    [
        ("field", pa.string()),
        ("text", pa.string()),
        ("outcome", pa.int8()),
        ("ref", pa.string()),
        ("score", pa.float64()),
        ("label", pa.string()),
    ]
)


@dataclass
class Decided:
    """
    What n distinct texts mean.

    outcomes: n ``Outcome``. numbers: n entities, -1 for none (a created one has a ref and no
    number). refs: n strings, null for none. scores: n, 0 unless matched by similarity; labels: n
    texts of the entities matched by similarity. offered: for texts that may mean several entities,
    those entities with their scores.
    """

    texts: pa.Array
    outcomes: NDArray[np.int8]
    numbers: NDArray[np.int64]
    scores: NDArray[np.float64]
    labels: list[str | None]
    refs: pa.Array = None
    offered: dict[int, list[tuple[int, float]]] = field(default_factory=dict)

    def as_table(self, path: str) -> pa.Table:
        """Return the decisions about the texts of a field as a table."""
        columns = [
            pa.array([path] * len(self.texts), pa.string()),
            self.texts,
            pa.array(self.outcomes),
            self.refs,
            pa.array(self.scores),
            pa.array(self.labels, pa.string()),
        ]
        return pa.table(columns, schema=DECIDED)


def decide(
    pointer: Pointer,
    texts: pa.Array,
    entities: Entities,
    *,
    learned: Mapping[str, str],
    answers: Mapping[str, str | None],
    before: pa.Table | None = None,
) -> Decided:
    """
    Decide which entities distinct texts mean: by answers, exactly, as learned, by similarity.

    texts: n distinct strings. learned, answers: text to ref; an answer of None means no entity.
    before: earlier decisions by similarity (``DECIDED``) that remain valid; other texts are
    compared.
    """
    n = len(texts)
    decided = Decided(texts, np.zeros(n, np.int8), np.full(n, NO_ENTITY), np.zeros(n), [None] * n)
    _take(decided, entities, answers)
    if pointer.resolve.exact:
        for field_ in pointer.match_on:
            _exactly(decided, entities, field_)
    if pointer.resolve.learned:
        _take(decided, entities, dict(learned))
    if pointer.resolve.fuzzy:
        done = _as_before(decided, entities, before) if before is not None else frozenset()
        _by_likeness(decided, entities, pointer, done)
    open_ = decided.outcomes == 0
    decided.outcomes[open_] = MISSING_AS[pointer.reference.on_missing]
    decided.refs = _refs(decided, entities)
    return decided


def _take(decided: Decided, entities: Entities, answers: Mapping[str, str | None]) -> None:
    """Apply users' answers about texts; a ref that no longer exists is ignored."""
    if not answers:
        return
    words = list(answers)
    at = pc.index_in(pa.array(words, pa.string()), value_set=decided.texts).to_pylist()
    numbers = entities.numbers_of(ref for ref in answers.values() if ref is not None)
    for text, place in zip(words, at, strict=True):
        if place is None or decided.outcomes[place]:
            continue
        ref = answers[text]
        if ref is None:
            decided.offered[place] = []  # a user answered: none of them
        elif ref in numbers:
            _decide_links(decided, entities, np.array([place]), np.array([numbers[ref]]))


def _decide_links(decided: Decided, entities: Entities, places: Any, numbers: Any) -> None:
    decided.numbers[places] = numbers
    known = entities.is_known(numbers)
    decided.outcomes[places] = np.where(known, Outcome.KNOWN, Outcome.IN_FILE)


def _exactly(decided: Decided, entities: Entities, field_: str) -> None:
    places = _open(decided)
    by_text = entities.pairs(field_).by_text()
    if not len(places) or not by_text.num_rows:
        return
    sought = decided.texts.take(pa.array(places))
    at = pc.index_in(sought, value_set=by_text["text"].combine_chunks())
    hit = np.flatnonzero(at.is_valid().to_numpy(zero_copy_only=False))
    rows = at.take(pa.array(hit)).to_numpy(zero_copy_only=False)
    low, high = by_text["low"].to_numpy()[rows], by_text["high"].to_numpy()[rows]
    single = low == high
    _decide_links(decided, entities, places[hit[single]], low[single])
    several = places[hit[~single]]
    if len(several):
        decided.outcomes[several] = Outcome.UNSURE
        _offer_same(decided, entities, field_, several)


def _offer_same(decided: Decided, entities: Entities, field_: str, places: Any) -> None:
    pairs = entities.pairs(field_)
    sought = decided.texts.take(pa.array(places))
    at = pc.index_in(pairs.texts, value_set=sought)
    for n in np.flatnonzero(at.is_valid().to_numpy(zero_copy_only=False)).tolist():
        offered = decided.offered.setdefault(int(places[at[n].as_py()]), [])
        offered.append((int(pairs.owners[n]), 100.0))


def _as_before(decided: Decided, entities: Entities, before: pa.Table) -> frozenset[int]:
    """Keep decisions by similarity. Return the positions that need not be compared again."""
    places = _open(decided)
    at = pc.index_in(
        decided.texts.take(pa.array(places)), value_set=before["text"].combine_chunks()
    )
    rows = before.to_pydict()
    numbers = entities.numbers_of(ref for ref in rows["ref"] if ref is not None)
    done = []
    for place, row in zip(places.tolist(), at.to_pylist(), strict=True):
        if row is None:
            continue
        done.append(place)
        number = numbers.get(rows["ref"][row])
        if rows["outcome"][row] == Outcome.UNSURE:
            decided.outcomes[place] = Outcome.UNSURE
            decided.offered.setdefault(place, [])
        elif rows["score"][row] and number is not None:
            _decide_links(decided, entities, np.array([place]), np.array([number]))
            decided.scores[place], decided.labels[place] = rows["score"][row], rows["label"][row]
    return frozenset(done)


def _by_likeness(
    decided: Decided, entities: Entities, pointer: Pointer, done: frozenset[int]
) -> None:
    places = np.array([place for place in _open(decided).tolist() if place not in done], np.int64)
    all_pairs = [entities.pairs(field_) for field_ in pointer.match_on]
    known = pa.concat_arrays([pairs.texts for pairs in all_pairs])
    owners = np.concatenate([pairs.owners for pairs in all_pairs])
    if not len(places) or not len(known):
        return
    close = alike(decided.texts.take(pa.array(places)), known, min_score=pointer.min_score)
    order = np.lexsort((owners[close.known], -close.scores, close.sought))
    sought, scores = close.sought[order], close.scores[order]
    who, label = owners[close.known[order]], close.known[order]
    firsts = np.flatnonzero(np.diff(sought, prepend=-1))
    ends = np.append(firsts, len(sought))[1:]
    for start, end in zip(firsts.tolist(), ends.tolist(), strict=True):
        place = int(places[sought[start]])
        best: dict[int, float] = {}
        for n in range(start, end):
            best.setdefault(int(who[n]), float(scores[n]))
        ranked = list(best.items())
        if len(ranked) > 1 and _is_near(ranked[0][1], ranked[1][1]):
            decided.outcomes[place] = Outcome.UNSURE
            decided.offered[place] = ranked
            continue
        _decide_links(decided, entities, np.array([place]), np.array([ranked[0][0]]))
        decided.scores[place] = ranked[0][1]
        decided.labels[place] = known[int(label[start])].as_py()


def _is_near(best: float, second: float) -> bool:
    """Return whether two scores are too close; a match except for case and marks always wins."""
    return best - second < MARGIN and not (best == 100.0 > second)


def _open(decided: Decided) -> Any:
    open_ = decided.outcomes == 0
    open_[[place for place, offered in decided.offered.items() if not offered]] = False
    return np.flatnonzero(open_)


def _refs(decided: Decided, entities: Entities) -> pa.Array:
    refs = [entities.refs[number] if number >= 0 else None for number in decided.numbers.tolist()]
    for place in np.flatnonzero(decided.outcomes == Outcome.CREATED).tolist():
        text = decided.texts[place].as_py()
        is_none_of_them = place in decided.offered
        refs[place] = entities.unknown_ref(text) if is_none_of_them else entities.ref_of_key(text)
    return pa.array(refs, pa.string())

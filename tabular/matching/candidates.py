"""Find the few fields worth comparing with a column, so that wide files stay fast.

By senses and names (``Senses``), by traces of words (``Index``), and by values: options, and types
with a distinctive form. 500 columns and 500 fields are never all compared.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from tabular.detecting import Profile, strength
from tabular.matching.features import Column, Target
from tabular.matching.lexical import SHORTEST, SHORTEST_PART, NameWords, senses
from tabular.matching.values import guess_by_values, option_names, plain_option
from tabular.vocabulary.lexicon import UNKNOWN_HEAD, lexicon, sound
from tabular.vocabulary.names import Named
from tabular.vocabulary.words import skeleton

TELLING = 0.3  # the least that values alone must be worth
MOST = 32  # fields of one column whose names are compared
LISTED = 0.5  # share of values that must be options


class Candidates:
    """An index of fields by their names, meanings and accepted values."""

    def __init__(self, targets: Sequence[Target]) -> None:
        self.targets = targets
        self.senses = Senses(target.named for target in targets)
        self.words = Index([target.names for target in targets])
        self.by_type: dict[str, list[int]] = {}
        self.texts: list[int] = []
        self.by_option: dict[str, set[int]] = {}
        self.detecting: list[int] = []
        for place, target in enumerate(targets):
            self._add(place, target)

    def _add(self, place: int, target: Target) -> None:
        spec = target.spec
        is_text = spec.column_type in {"string", "category"}
        (self.texts if is_text else self.by_type.setdefault(spec.column_type, [])).append(place)
        for name in option_names(spec):
            self.by_option.setdefault(name, set()).add(place)
        if spec.value_detectors:
            self.detecting.append(place)

    def fields_for(self, column: Column) -> list[int]:
        """Return the few likeliest fields that a column could feed, in the catalog's order."""
        counts = self.senses.fields_for(column.named) + self.words.near(column.name_words)
        surely = set(self._by_values(column.profile, is_open=_is_open(column)))
        surely |= self.senses.namesakes(column.named)
        likeliest = sorted(counts, key=lambda place: (-counts[place], place))[:MOST]
        return sorted(surely.union(likeliest))

    def _by_values(self, profile: Profile, *, is_open: bool) -> Iterator[int]:
        """Yield the fields that a column's values match; text fields only if the header is open."""
        if profile.says_nothing:
            return
        yield from self._listed(profile)
        for places in self.by_type.values():
            target = self.targets[places[0]]
            if guess_by_values(target.named.meanings, target.spec, profile) >= TELLING:
                yield from places
        if not is_open:
            return
        for place in self.texts:
            target = self.targets[place]
            if guess_by_values(target.named.meanings, target.spec, profile) >= TELLING:
                yield place
        for place in self.detecting:
            if strength(profile, self.targets[place].spec.value_detectors or ()):
                yield place

    def _listed(self, profile: Profile) -> Iterator[int]:
        counts: dict[int, int] = {}
        for value in profile.values:
            for place in self.by_option.get(plain_option(value), ()):
                counts[place] = counts.get(place, 0) + 1
        least = LISTED * len(profile.values)
        yield from (place for place, count in counts.items() if count >= least)


def _is_open(column: Column) -> bool:
    """Return whether a header leaves its subject open."""
    return column.is_placeholder or column.is_unknown


class Senses:
    """An index of fields by their names and by the concepts they mean."""

    def __init__(self, fields: Iterable[Named]) -> None:
        self.by_key: dict[str, set[int]] = {}
        self.by_concept: dict[str, set[int]] = {}
        for place, named in enumerate(fields):
            for key in named.keys:
                self.by_key.setdefault(key, set()).add(place)
            for meaning in named.meanings:
                for concept in (meaning.head, *meaning.qualifiers):
                    self.by_concept.setdefault(concept, set()).add(place)

    def namesakes(self, column: Named) -> set[int]:
        """Return the fields with the same name."""
        return set[int]().union(*(self.by_key.get(key, ()) for key in column.keys))

    def fields_for(self, column: Named) -> Counter[int]:
        """Return the fields with a similar sense, and how many concepts they share."""
        related = kin()
        concepts = {
            concept
            for meaning in column.meanings
            if not meaning.head.startswith(UNKNOWN_HEAD)
            for concept in (meaning.head, *meaning.qualifiers)
        }
        return Counter(
            place
            for concept in concepts
            for place in set[int]().union(
                *(self.by_concept.get(near, ()) for near in related.get(concept, ()))
            )
        )


@lru_cache(maxsize=1)
def kin() -> Mapping[str, frozenset[str]]:
    """Return, for each concept, all concepts that may replace it."""
    lex = lexicon()
    related: dict[str, set[str]] = {name: {name} for name in lex.concepts}
    for name, concept in lex.concepts.items():
        for other in concept.near:
            related[other].add(name)
            related[name].add(other)
    return {name: frozenset(names) for name, names in related.items()}


class Index:
    """Finds which names may share a word with another, so that not all pairs are compared."""

    def __init__(self, names: Sequence[Sequence[NameWords]]) -> None:
        self.places: dict[object, set[int]] = {}
        for place, own in enumerate(names):
            for name in own:
                for trace in _traces(name):
                    self.places.setdefault(trace, set()).add(place)

    def near(self, name: NameWords) -> Counter[int]:
        """Return the positions of names that share traces with the words, and how many."""
        return Counter(
            place for trace in set(_traces(name)) for place in self.places.get(trace, ())
        )


def _traces(name: NameWords) -> Iterator[object]:
    """Yield what two similar words have in common: a beginning, an end, a sense."""
    for word in name.words:
        yield "begins", word[:SHORTEST]
        yield "sounds", sound(word)[:SHORTEST]
        yield "bones", skeleton(word)[:SHORTEST]
        yield "ends", word[-SHORTEST_PART:]
        yield from senses(word, name.languages)

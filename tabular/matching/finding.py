"""Find the few fields worth comparing with a column, so that wide files stay fast."""

from collections.abc import Iterable

from tabular.matching.lexicon import RIDDLE, kin
from tabular.matching.reading_headers import Named
from tabular.matching.scoring import is_placeholder


class Finder:
    """An index of fields by what they are called and what they mean."""

    def __init__(self, fields: Iterable[Named], detecting: Iterable[int] = ()) -> None:
        """Index the fields; ``detecting`` names those that have detectors of their own."""
        self.detecting = frozenset(detecting)
        self.count = 0
        self.by_key: dict[str, set[int]] = {}
        self.by_concept: dict[str, set[int]] = {}
        self.riddles: set[int] = set()
        for place, named in enumerate(fields):
            self._add(place, named)
            self.count = place + 1

    def _add(self, place: int, named: Named) -> None:
        for key in named.keys:
            self.by_key.setdefault(key, set()).add(place)
        if not named.meanings:
            self.riddles.add(place)
        for meaning in named.meanings:
            if meaning.head.startswith(RIDDLE):
                self.riddles.add(place)
            for concept in (meaning.head, *meaning.qualifiers):
                self.by_concept.setdefault(concept, set()).add(place)

    def fields_for(self, column: Named) -> list[int]:
        """List the fields that a column could be, in the catalog's order."""
        if is_placeholder(column):
            return list(range(self.count))
        found: set[int] = set()
        for key in column.keys:
            found |= self.by_key.get(key, set())
        if not column.meanings:
            return sorted(found | self.riddles | self.detecting)
        related = kin()
        for meaning in column.meanings:
            if meaning.head.startswith(RIDDLE):
                found |= self.riddles
            for concept in (meaning.head, *meaning.qualifiers):
                for near in related.get(concept, ()):
                    found |= self.by_concept.get(near, set())
        return sorted(found)

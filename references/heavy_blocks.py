"""
Blocking keys that too many known entities share: noted once, and not stored for each entity.

Texts are never compared by such a key, so its rows would only take time and space. Each has a
number of entities that may lose it before it could be of use again. The number never says too many:
entities that get the key do not raise it, and each one that loses it lowers it. Once it is used up,
the keys of the field are created again by the next import that searches them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

from references.models import HeavyBlock, KnownSet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Digests = NDArray[np.int64]

FACTOR = 2  # of the entities that make a key useless; with fewer it could soon be of use again
MOST_COUNTED = 2_000_000  # keys counted at a time; beyond that the rarer half is dropped
NOTE = (
    "INSERT INTO references_heavyblock (known_set_id, field, digest, spare) "
    "VALUES (%s, %s, %s, %s) "
    "ON CONFLICT (known_set_id, digest) DO UPDATE SET spare = excluded.spare"
)
LOSE = "UPDATE references_heavyblock SET spare = spare - %s WHERE known_set_id = %s AND digest = %s"


class Counts:
    """
    How many entities have each blocking key of a field, in bounded memory.

    A count may be too low, never too high.
    """

    def __init__(self) -> None:
        import numpy as np

        self._digests, self._counts = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self._waiting: list[Digests] = []

    def add(self, digests: Digests) -> None:
        """Count some keys. digests: those of some entities, each entity's once."""
        self._waiting.append(digests)
        if sum(map(len, self._waiting)) >= MOST_COUNTED // 2:
            self._merge()

    def spares(self) -> tuple[Digests, Digests]:
        """Return the heavy keys, and how many entities may lose each."""
        from tabular.resolving.likeness import MOST_LIGHTEST

        self._merge()
        heavy = self._counts > FACTOR * MOST_LIGHTEST
        # At MOST_LIGHTEST entities it would be light, so one more must keep it.
        return self._digests[heavy], self._counts[heavy] - MOST_LIGHTEST - 1

    def _merge(self) -> None:
        import numpy as np

        waiting = np.concatenate([np.zeros(0, np.int64), *self._waiting])
        more, counts = np.unique(waiting, return_counts=True)
        self._waiting = []
        digests, which = np.unique(np.concatenate([self._digests, more]), return_inverse=True)
        total = np.zeros(len(digests), np.int64)
        np.add.at(total, which, np.concatenate([self._counts, counts]))
        if len(digests) > MOST_COUNTED:
            kept = np.argpartition(total, len(total) // 2)[len(total) // 2 :]
            digests, total = digests[kept], total[kept]
        self._digests, self._counts = digests, total


def may_be_in(known_set: KnownSet) -> bool:
    """Return whether a set has enough entities for a heavy key."""
    from tabular.resolving.likeness import MOST_LIGHTEST

    least = FACTOR * MOST_LIGHTEST
    return known_set.entities.all()[: least + 1].count() > least


def digests_of(known_set: KnownSet) -> Digests:
    """Return the heavy keys of a set."""
    import numpy as np

    mine = HeavyBlock.objects.filter(known_set=known_set)
    return np.array(list(mine.values_list("digest", flat=True)), np.int64)


def note(known_set: KnownSet, field: str, counts: Counts) -> None:
    """Note the heavy keys of a field, inside a transaction that locks the set."""
    digests, spares = counts.spares()
    rows = zip(digests.tolist(), spares.tolist(), strict=True)
    with connection.cursor() as cursor:
        cursor.executemany(NOTE, [(known_set.pk, field, digest, n) for digest, n in rows])


def lose(known_set: KnownSet, digests: Digests) -> set[str]:
    """
    Note that entities no longer have some heavy keys, inside a transaction that locks the set.

    digests: one for each entity that had it. Return the fields whose keys must be created again.
    """
    import numpy as np

    rows = zip(*(part.tolist() for part in np.unique(digests, return_counts=True)), strict=True)
    with connection.cursor() as cursor:
        cursor.executemany(LOSE, [(count, known_set.pk, digest) for digest, count in rows])
    mine = HeavyBlock.objects.filter(known_set=known_set)
    fields = set(mine.filter(spare__lt=0).values_list("field", flat=True))
    mine.filter(field__in=fields).delete()
    return fields

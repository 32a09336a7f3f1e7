"""Profile a column: how full, how distinct, and of which kinds its values are."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tabular.detecting.patterns import is_placeholder, kinds_of

ROWS = 2_000  # rows that are examined
DISTINCT = 40  # distinct values whose kind is determined


@dataclass(frozen=True, slots=True)
class Profile:
    """What a column's values reveal about it."""

    rows: int = 0
    filled: int = 0
    distinct: int = 0
    values: tuple[str, ...] = ()  # up to DISTINCT distinct values, spread over the sample
    kinds: dict[str, float] = field(default_factory=dict)  # kind to its share, placeholders aside
    length: float = 0.0  # mean characters
    telling: int = 0  # how many of the values are not placeholders

    @property
    def is_empty(self) -> bool:
        """Whether the sample has no value."""
        return self.filled == 0

    @property
    def says_nothing(self) -> bool:
        """Whether the sample has only placeholders."""
        return self.telling == 0

    @property
    def is_constant(self) -> bool:
        """Whether several rows all have the same value."""
        return self.distinct == 1 and self.filled > 1

    @property
    def unique(self) -> float:
        """Distinct values over filled cells, 0 to 1."""
        return self.distinct / self.filled if self.filled else 0.0

    def share(self, *kinds: str) -> float:
        """Return the largest share among some kinds."""
        return max((self.kinds.get(kind, 0.0) for kind in kinds), default=0.0)


def profile(cells: Sequence[str | None]) -> Profile:
    """Return the profile of a column from up to two thousand of its cells."""
    cells = cells[:ROWS]
    counts = Counter(text for cell in cells if cell and (text := cell.strip()))
    distinct = list(counts)
    step = max(1, len(distinct) // DISTINCT)
    chosen = tuple(distinct[::step][:DISTINCT])
    by_kind: Counter[str] = Counter()
    for value in chosen:
        by_kind.update(kinds_of(value))
    telling = sum(not is_placeholder(value) for value in chosen)
    return Profile(
        rows=len(cells),
        filled=sum(counts.values()),
        distinct=len(distinct),
        values=chosen,
        kinds={kind: min(1.0, count / (telling or 1)) for kind, count in sorted(by_kind.items())},
        length=sum(map(len, chosen)) / (len(chosen) or 1),
        telling=telling,
    )

"""One global assignment: every column gets at most one field, every field at most one column.

Successive shortest augmenting paths on the sparse graph of admissible pairs. An unassigned column
costs nothing, so a pair is only made if its score is positive and the total score is best.
"""

from heapq import heappop, heappush

Scores = dict[tuple[int, int], int]  # (column, field) to a positive whole number


def assign(scores: Scores) -> dict[int, int]:
    """
    Return the pairs with the greatest sum of scores.

    scores: whole numbers, so that sums do not depend on order. Returns column to field.

    >>> assign({(0, 0): 90, (0, 1): 80, (1, 0): 85})
    {0: 1, 1: 0}
    """
    by_column: dict[int, list[tuple[int, int]]] = {}
    for (column, field), score in sorted(scores.items()):
        by_column.setdefault(column, []).append((field, score))
    top = max(scores.values(), default=0)
    assigned = _Assignment(by_column, top)
    for column in sorted(by_column):
        assigned.place(column)
    return dict(sorted((c, f) for f, c in assigned.column_of.items()))


def strongest(scores: Scores, *, side: int, most: int) -> Scores:
    """Return the best pairs of each column (side 0) or field (side 1), so that time is bounded."""
    by_end: dict[int, list[tuple[int, tuple[int, int]]]] = {}
    for pair, score in scores.items():
        by_end.setdefault(pair[side], []).append((-score, pair))
    kept = (pair for pairs in by_end.values() for _, pair in sorted(pairs)[:most])
    return {pair: scores[pair] for pair in kept}


class _Assignment:
    """Potentials and pairs while columns are placed one by one."""

    def __init__(self, by_column: dict[int, list[tuple[int, int]]], top: int) -> None:
        self.by_column = by_column
        self.top = top
        self.column_of: dict[int, int] = {}
        self.field_of: dict[int, int] = {}
        self.price: dict[int, int] = {}  # of a field
        self.worth: dict[int, int] = {}  # of a column

    def place(self, start: int) -> None:
        """Place one more column, moving others if that improves the total."""
        edges = self.by_column[start]
        self.worth[start] = min(
            [self.top] + [self.top - s - self.price.get(f, 0) for f, s in edges]
        )
        settled, came_from, cost_of, end = self._search(start)
        total = cost_of[end]
        for node in settled:
            kind, index = node
            shift = total - cost_of[node]
            if kind == "c":
                self.worth[index] += shift
            elif kind == "f":
                self.price[index] = self.price.get(index, 0) - shift
        self._turn(came_from, end)

    def _search(
        self, start: int
    ) -> tuple[
        list[tuple[str, int]],
        dict[tuple[str, int], tuple[str, int]],
        dict[tuple[str, int], int],
        tuple[str, int],
    ]:
        """Find the cheapest path from a column to a free field or to being unassigned."""
        source = ("c", start)
        cost_of = {source: 0}
        came_from: dict[tuple[str, int], tuple[str, int]] = {}
        queue: list[tuple[int, tuple[str, int]]] = [(0, source)]
        settled: list[tuple[str, int]] = []
        done: set[tuple[str, int]] = set()
        while queue:
            cost, node = heappop(queue)
            if node in done:
                continue
            done.add(node)
            kind, index = node
            if kind == "o" or (kind == "f" and index not in self.column_of):
                return settled, came_from, cost_of, node
            settled.append(node)
            for step, nearer in self._steps(node):
                if cost + step < cost_of.get(nearer, 1 << 60):
                    cost_of[nearer] = cost + step
                    came_from[nearer] = node
                    heappush(queue, (cost + step, nearer))
        raise AssertionError("a column can always be left out")

    def _steps(self, node: tuple[str, int]) -> list[tuple[int, tuple[str, int]]]:
        kind, index = node
        if kind == "f":
            return [(0, ("c", self.column_of[index]))]
        worth = self.worth[index]
        steps = [(self.top - worth, ("o", index))]
        for field, score in self.by_column[index]:
            if self.field_of.get(index) != field:
                steps.append((self.top - score - self.price.get(field, 0) - worth, ("f", field)))
        return steps

    def _turn(
        self, came_from: dict[tuple[str, int], tuple[str, int]], end: tuple[str, int]
    ) -> None:
        """Walk the path back and reassign every field on it to its new column."""
        node = end
        while True:
            column = came_from[node][1]
            before = self.field_of.pop(column, None)
            if node[0] == "f":
                self.field_of[column] = node[1]
                self.column_of[node[1]] = column
            if before is None:
                return
            node = ("f", before)

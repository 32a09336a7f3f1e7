"""The rows of an import as seen at each revision, and the order of revisions."""


def plain(rows):
    """Return rows without the order of their issues."""
    return [
        {**row, "issues": sorted(row["issues"], key=lambda issue: sorted(issue.items(), key=str))}
        for row in rows
    ]


class Seen:
    """Every revision seen, and which one follows which."""

    def __init__(self) -> None:
        self._by_revision = {}
        self._before = {}  # revision: the one it was made from
        self._told = {}  # an import's inputs when it showed a revision
        self._next = {}  # revision: the one that redo leads to

    def look(self, number, rows, groups, counts) -> None:
        """Compare a whole table with what its revision showed before, and with its own counts."""
        shown = [row for row in rows if not row["excluded"]]
        by_code = {}
        for row in shown:
            for issue in row["issues"]:
                by_code[issue["code"]] = by_code.get(issue["code"], 0) + 1
        assert sum(by_code.values()) == sum(group.count for group in groups)
        if "rows" in counts:  # else the file is read again, and these rows are of the last reading
            for word in ("valid", "warning", "error"):
                assert counts.get(word, 0) == sum(row["severity"] == word for row in shown), counts
            assert counts["excluded"] == len(rows) - len(shown)
            assert counts["rows"] == len(rows)
            assert counts["byCode"] == by_code
        now = plain(rows)
        assert self._by_revision.setdefault(number, now) == now, f"revision {number} differs"

    def compare_inputs(self, number, inputs) -> None:
        """Compare an import's inputs with those seen at this revision before."""
        before = self._told.setdefault(number, inputs)
        assert before == inputs, f"revision {number} was told otherwise"

    @property
    def highest(self):
        """The highest number of a revision seen so far."""
        return max(self._by_revision, default=0)

    def follows(self, before, after) -> None:
        """Record where undo leads from ``after``, and redo from ``before``."""
        self._before[after] = before
        self._next[before] = after

    def goal(self, where, number):
        """Return where undo or redo must lead; None for nowhere."""
        return (self._before if where == "undo" else self._next).get(number)

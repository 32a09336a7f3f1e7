"""The issues of some rows, as the files of a base hold them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import orjson

from staging import arrays
from staging.overlay import RowIssue

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

ABOUT = ["field", "code", "severity", "value", "params"]  # members of an issue in a file


@dataclass(frozen=True, slots=True)
class IssuesAt:
    """The issues of n rows: those of row i are ``begins[i]`` to before ``ends[i]`` of the table."""

    table: pa.Table
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many each row has, n."""
        counts: NDArray[np.int64] = self.ends - self.begins
        return counts

    def by_row(self) -> list[tuple[RowIssue, ...]]:
        """Return the issues of each row, n."""
        import numpy as np

        counts = self.counts
        if not counts.any():
            return [()] * len(counts)
        at = np.concatenate([np.arange(b, e) for b, e in zip(self.begins, self.ends, strict=True)])
        members = (arrays.take(self.table.column(name), at).to_pylist() for name in ABOUT)
        issues = (
            RowIssue(
                field=field,
                code=code,
                severity=severity,
                value=value,
                params=orjson.loads(params) if params else {},
            )
            for field, code, severity, value, params in zip(*members, strict=True)
        )
        return [tuple(islice(issues, count)) for count in counts.tolist()]

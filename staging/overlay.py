"""The rows that differ from the files of a base, as one revision sees them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypedDict

from staging.models import Revision, RowState
from tabular.model.issue import Severity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT = 32  # overlays in memory; each holds at most 10,000 rows


class RowIssue(TypedDict):
    """An issue in the format of row states: a dictionary, as there may be very many."""

    field: str  # path; empty: about the whole row
    code: str
    severity: Severity
    value: str | None
    params: dict[str, Any]  # the parameters of its message


@dataclass(frozen=True, slots=True)
class Patch:
    """All that one row holds instead of what the files say."""

    severity: int
    is_excluded: bool = False
    texts: Mapping[str, str | None] = field(default_factory=dict)  # edited, by field path
    values: Mapping[str, Any] = field(default_factory=dict)  # as ``cells.encoded`` writes them
    issues: tuple[RowIssue, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the patch as a row state stores it."""
        return {
            "severity": self.severity,
            "excluded": self.is_excluded,
            "texts": dict(self.texts),
            "values": dict(self.values),
            "issues": list(self.issues),
        }


def patch_of(state: Mapping[str, Any]) -> Patch:
    """Read what ``as_json`` wrote."""
    return Patch(
        severity=state["severity"],
        is_excluded=state["excluded"],
        texts=state["texts"],
        values=state["values"],
        issues=tuple(state["issues"]),
    )


@dataclass(frozen=True)
class Overlay:
    """Patches by row number."""

    patches: Mapping[int, Patch] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.patches)

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The patched rows, ascending."""
        import numpy as np

        return np.array(sorted(self.patches), np.int64)

    @cached_property
    def in_order(self) -> list[Patch]:
        """The patches, by ascending row."""
        return [self.patches[row] for row in self.rows.tolist()]

    def values(self, path: str) -> dict[int, Any]:
        """Return the encoded values of a field where it was edited, by ascending row."""
        return {
            row: self.patches[row].values[path]
            for row in self.rows.tolist()
            if path in self.patches[row].values
        }

    def with_patches(self, patches: Mapping[int, Patch]) -> Overlay:
        """Return an overlay with further patches over these."""
        return Overlay({**self.patches, **patches})


_cache: OrderedDict[tuple[str, int], Overlay] = OrderedDict()
_lock = threading.Lock()


def overlay_of(revision: Revision) -> Overlay:
    """Return a revision's overlay, cached or built from its parent's overlay and its own states."""
    if revision.is_base:
        return Overlay()
    key = (revision.subject, revision.pk)
    with _lock:
        if key in _cache:
            _cache.move_to_end(key)
            return _cache[key]
    return _remember(key, _load(revision))


def _load(revision: Revision) -> Overlay:
    parent = _remembered_parent(revision)
    states = RowState.objects.filter(subject=revision.subject)
    if parent is not None:
        own = states.filter(revision=revision.number).values_list("row", "state")
        return parent.with_patches({row: patch_of(state) for row, state in own})
    path = _path(revision)
    since = states.filter(revision__gt=revision.base, revision__lte=revision.number)
    changes = since.order_by("revision").values_list("revision", "row", "state")
    return Overlay({row: patch_of(state) for number, row, state in changes if number in path})


def _remembered_parent(revision: Revision) -> Overlay | None:
    if revision.parent == revision.base:
        return Overlay()
    parent = Revision.objects.filter(
        subject=revision.subject, number=revision.parent or 0, base=revision.base
    )
    key = (revision.subject, parent.values_list("pk", flat=True).first() or 0)
    with _lock:
        return _cache.get(key)


def _path(revision: Revision) -> set[int]:
    """Return the revisions from a base to a revision, without abandoned ones."""
    parents = dict(
        Revision.objects.filter(subject=revision.subject, base=revision.base).values_list(
            "number", "parent"
        )
    )
    path: set[int] = set()
    number: int | None = revision.number
    while number is not None and number != revision.base:
        path.add(number)
        number = parents.get(number)  # a replay's parent shows other files
    return path


def _remember(key: tuple[str, int], overlay: Overlay) -> Overlay:
    with _lock:
        _cache[key] = overlay
        while len(_cache) > KEPT:
            _cache.popitem(last=False)
    return overlay

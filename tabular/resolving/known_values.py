"""What a value of a file may do to one that is known: the policy of each field."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from tabular.model.catalog import Catalog, OnKnown

WAYS: tuple[OnKnown, ...] = get_args(OnKnown)  # the narrowest first
KEPT, HOST = "kept", "host"  # a cell changes nothing: by its policy, or the host's change counts
ASK, CONFLICT = "ask", "conflict"  # a cell waits for a decision
SETTLED, UNDECIDED = (KEPT, HOST), (ASK, CONFLICT)
AS_JSON = "json"  # the type of a column whose cells are JSON texts already
Side = Literal["host", "file"]  # whose value counts where both changed it


@dataclass(frozen=True, slots=True)
class FieldPolicy:
    """
    What the cells of one field do to known values.

    is_own: it was set for this field. Then a delivered row has the known value where a cell changes
    nothing. side: whose value counts where host and file changed the last delivered one; None until
    a person decides. keeps_all: it keeps known values also there, whatever a person decides.
    """

    on_known: OnKnown = "overwrite"
    empty_clears: bool = False
    is_own: bool = False
    side: Side | None = None
    keeps_all: bool = False


KEEPING = FieldPolicy()
SETTLING: frozenset[OnKnown | None] = frozenset({"keep", "fillEmpty"})  # no value is overwritten


def policies_of(
    catalog: Catalog, *, empty_clears: bool, chosen: Mapping[str, Any] | None = None
) -> dict[str, FieldPolicy]:
    """
    Return the policy of each live field of a catalog, by path.

    empty_clears: what holds for empty cells of a field without a member of its own. chosen: the
    members that an apply sets, by path: ``onKnown``, ``emptyCells`` and ``conflicts``.
    """
    policies = {}
    for path, field in catalog.live_fields.items():
        own = (chosen or {}).get(path, {})
        on_known = own.get("onKnown") or field.on_known
        empty = own.get("emptyCells") or field.empty_cells
        policies[path] = FieldPolicy(
            on_known=on_known or "overwrite",
            empty_clears=empty_clears if empty is None else empty == "clear",
            is_own=bool(on_known or empty),
            side=own.get("conflicts"),
            keeps_all=own.get("onKnown", field.on_known) in SETTLING and field.on_known in SETTLING,
        )
    return policies


def overwrites_more(wished: OnKnown | None, before: OnKnown | None) -> bool:
    """
    Return whether a setting changes more known values than another; absent is ``overwrite``.

    >>> overwrites_more("overwrite", "keep"), overwrites_more("keep", None)
    (True, False)
    """
    if wished is None:
        return False
    return WAYS.index(wished) > WAYS.index(before or "overwrite")

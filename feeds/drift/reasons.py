"""A finding as a reason to wait for a person: flat, for a message, and without values of cells."""

from __future__ import annotations

from typing import Any

from feeds.drift.finding import Code, Finding, Json

PREFIX = "drift_"  # before the code of a finding
FIGURES: dict[Code, str] = {  # the member of both sides that its message shows
    "column_renamed": "header",
    "column_type_changed": "kind",
    "column_unread": "unreadShare",
    "column_empty": "emptyShare",
    "column_distinct": "distinct",
    "column_repeats": "distinctShare",
    "column_values_new": "knownShare",
    "column_sizes": "typical",
    "column_signs": "negativeShare",
    "column_total": "total",
    "column_length": "length",
    "rows_fewer": "rows",
    "rows_more": "rows",
}
DIGITS = 3  # of a number that is shown


def reason_of(finding: Finding) -> Json:
    """
    Return a finding as a reason; ``figures`` has both sides whole.

    >>> reason_of(Finding("rows_fewer", before={"rows": 200}, after={"rows": 98}))["after"]
    98
    """
    shown = finding.without_values()
    sides = {"before": dict(shown.before), "after": dict(shown.after)}
    return {
        "code": f"{PREFIX}{finding.code}",
        "column": finding.column or "",
        **{name: _main(finding.code, side) for name, side in sides.items()},
        "figures": sides | {"params": dict(shown.params)},
    }


def _main(code: Code, side: Json) -> Any:
    """Return what a message shows of one side."""
    if "first" in side:
        return f"{side['first']} – {side['last']}"
    name = FIGURES.get(code, "")
    value = side.get(name, "")
    if not isinstance(value, float):
        return value
    return round(100 * value, 1) if name.endswith("Share") else _rounded(value)


def _rounded(number: float) -> int | float:
    """
    Return a number with a few significant digits.

    >>> _rounded(123456.789), _rounded(0.012345)
    (123000, 0.0123)
    """
    short = float(f"{number:.{DIGITS}g}")
    return int(short) if short.is_integer() else short

"""Why the feed of an import does not apply it, as staff read it: a sentence, and the figures."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from common.wording.messages import Message, stored

NO_TABLE = mark_safe("")
REASONS: Mapping[str, str] = {
    "applied_by_people": "feed_reason.applied_by_people",
    "apply_refused": "feed_reason.apply_refused",
    "drift_column_added": "feed_reason.drift_column_added",
    "drift_column_distinct": "feed_reason.drift_column_distinct",
    "drift_column_empty": "feed_reason.drift_column_empty",
    "drift_column_length": "feed_reason.drift_column_length",
    "drift_column_removed": "feed_reason.drift_column_removed",
    "drift_column_renamed": "feed_reason.drift_column_renamed",
    "drift_column_repeats": "feed_reason.drift_column_repeats",
    "drift_column_signs": "feed_reason.drift_column_signs",
    "drift_column_sizes": "feed_reason.drift_column_sizes",
    "drift_column_total": "feed_reason.drift_column_total",
    "drift_column_type_changed": "feed_reason.drift_column_type_changed",
    "drift_column_unread": "feed_reason.drift_column_unread",
    "drift_column_values_new": "feed_reason.drift_column_values_new",
    "drift_dates_ahead": "feed_reason.drift_dates_ahead",
    "drift_dates_behind": "feed_reason.drift_dates_behind",
    "drift_dates_range": "feed_reason.drift_dates_range",
    "drift_dates_short": "feed_reason.drift_dates_short",
    "drift_rows_fewer": "feed_reason.drift_rows_fewer",
    "drift_rows_more": "feed_reason.drift_rows_more",
    "drift_same_rows": "feed_reason.drift_same_rows",
    "earlier_file_waits": "feed_reason.earlier_file_waits",
    "mapping_is_new": "feed_reason.mapping_is_new",
    "open_questions": "feed_reason.open_questions",
    "same_as_earlier_file": "feed_reason.same_as_earlier_file",
    "too_many_changed_percent": "feed_reason.too_many_changed_percent",
    "too_many_changed_rows": "feed_reason.too_many_changed_rows",
    "too_many_invalid_percent": "feed_reason.too_many_invalid_percent",
    "too_many_invalid_rows": "feed_reason.too_many_invalid_rows",
    "too_many_missing_percent": "feed_reason.too_many_missing_percent",
    "too_many_missing_rows": "feed_reason.too_many_missing_rows",
}


def reasons_listed(reasons: Iterable[Mapping[str, Any]]) -> SafeString | str:
    """Return each reason in English, below it a table of what was usual and what is now."""
    lines = [(sentence_of(reason), figures_of(reason.get("figures", {}))) for reason in reasons]
    listed = format_html_join("", "<li>{} {}</li>", lines)
    return format_html("<ul>{}</ul>", listed) if lines else ""


def sentence_of(reason: Mapping[str, Any]) -> str:
    """Return a reason in English; a code without words alone."""
    key = REASONS.get(reason["code"])
    return stored(Message(key, **reason)) if key else str(reason["code"])


def figures_of(figures: Mapping[str, Any]) -> SafeString:
    """Return a table of what was usual and what is now; nothing without figures."""
    before, after = figures.get("before", {}), figures.get("after", {})
    rows = [(name, _shown(before, name), _shown(after, name)) for name in {**before, **after}]
    if not rows:
        return NO_TABLE
    cells = format_html_join("", "<tr><th>{}</th><td>{}</td><td>{}</td></tr>", rows)
    head = format_html("<tr><td></td><th>{}</th><th>{}</th></tr>", "Usual", "This file")
    return format_html("<table>{}{}</table>", head, cells)


def _shown(side: Mapping[str, Any], name: str) -> str:
    value = side.get(name, "-")
    return f"{value:,.4g}" if isinstance(value, float) else str(value)

"""
Parse what a host reports about received rows. Pure: bytes in, results or a reason out.

A host may answer 2xx with ``{"results": [{row, status, before?, message?}]}``. This is optional:
any other answer is fine, and an unreadable one never changes the fact that the rows arrived.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import orjson

from tabular.model.sentences import Sentence

MOST_BYTES = 1_000_000
STATUS_LENGTH, MESSAGE_LENGTH = 40, 1_000
MOST_FINDINGS, FIELD_LENGTH = 10_000, 400
VALUE_LENGTH = 32_767  # characters, as of an edited cell
FOUND_SEVERITIES = ("error", "warning")
TOO_LONG = f"the answer is empty, is longer than {MOST_BYTES} bytes, or broke off"
MARK = '"results"'
REFUSING = frozenset({"refused", "rejected", "failed", "error", "invalid"})


@dataclass(frozen=True, slots=True)
class HostResults:
    """The results for rows; ``note`` has the reason if none are stored."""

    rows: list[dict[str, Any]] | None = None  # None if there were no results, or none are stored
    note: str = ""


NOTHING = HostResults()


def is_refused(status: str) -> bool:
    """
    Return whether a host's status for a row means that it was not accepted.

    >>> is_refused("Rejected"), is_refused("created")
    (True, False)
    """
    return status.strip().lower() in REFUSING


def read_results(head: str, content: bytes, *, row_count: int) -> HostResults:
    """
    Parse a host's results.

    head: the first characters of the answer. content: all of it, empty if it was longer than
    ``MOST_BYTES`` or broke off. row_count: the number of rows sent.

    >>> read_results("", b'{"results":[{"row":0,"status":"created"}]}', row_count=1).rows
    [{'row': 0, 'status': 'created'}]
    >>> read_results("", b'{"results":[{"row":1,"status":"created"}]}', row_count=1).note
    "The host's results were not stored: in item 1, row is not a number from 0 to 0."
    """
    if MARK not in head and MARK.encode() not in content:
        return NOTHING
    if not content:
        return _ignored(
            Sentence("the response is longer than {n1} bytes, or incomplete", n1=str(MOST_BYTES))
        )
    try:
        answer = orjson.loads(content)  # rejects NaN and lone surrogates, which JSON does not allow
    except ValueError:
        return _ignored("the response is not JSON")
    if not isinstance(answer, dict) or "results" not in answer:
        return NOTHING
    if not isinstance(answer["results"], list):
        return _ignored("results is not a list")
    rows: dict[int, dict[str, Any]] = {}
    for number, item in enumerate(answer["results"], start=1):
        fault = _fault(item, row_count) or (
            "its row appeared before" if item["row"] in rows else ""
        )
        if fault:
            return _ignored(Sentence("in item {n1}, {A}", n1=str(number), A=fault))
        rows[item["row"]] = {
            name: item[name] for name in ("row", "status", "before", "message") if name in item
        }
    return HostResults(rows=list(rows.values()))


def read_findings(content: bytes, *, row_count: int) -> HostResults:
    """
    Parse a host's findings about rows that it was asked to check, and the values that it sets.

    Findings are in ``results``, values in ``set``; either may be absent. An answer with neither is
    an error, unlike one about received rows: only an empty list means that the rows are correct. A
    value that is set has ``value`` instead of ``severity`` and ``message``.

    >>> read_findings(b'{"results":[]}', row_count=1).rows
    []
    >>> read_findings(b'{"set":[{"row":0,"field":"order.no","value":7}]}', row_count=1).rows
    [{'row': 0, 'field': 'order.no', 'value': 7}]
    >>> read_findings(b"OK", row_count=1).note
    "The host's findings were not stored: the response is not JSON."
    """
    try:
        answer = orjson.loads(content)
    except ValueError:
        why = "the response is not JSON" if content else TOO_LONG
        return _not_found(why)
    lists = (answer.get("results", []), answer.get("set", [])) if isinstance(answer, dict) else ()
    if not lists or not answer.keys() & {"results", "set"}:
        return _not_found("there is no list results")
    findings, values = lists
    if not isinstance(findings, list) or not isinstance(values, list):
        return _not_found("results and set must be lists")
    if len(findings) + len(values) > MOST_FINDINGS:
        return _not_found(f"there are more than {MOST_FINDINGS:,}")
    for number, item in enumerate(findings, start=1):
        if fault := _item_fault(item, row_count) or _finding_fault(item):
            return _not_found(Sentence("in item {n1}, {A}", n1=str(number), A=fault))
    cells: set[tuple[int, str]] = set()
    for number, item in enumerate(values, start=1):
        if fault := _item_fault(item, row_count) or _value_fault(item, cells):
            return _not_found(f"in item {number} of set, {fault}")
        cells.add((item["row"], item["field"]))
    named = ("row", "field", "severity", "message")
    return HostResults(
        rows=[
            *({n: item[n] for n in named if item.get(n) is not None} for item in findings),
            *({n: item[n] for n in ("row", "field", "value")} for item in values),
        ]
    )


def _item_fault(item: Any, row_count: int) -> str:
    if not isinstance(item, dict):
        return "there is no object"
    row = item.get("row")
    if type(row) is not int or not 0 <= row < row_count:
        return Sentence("row is not a number from 0 to {n1}", n1=str(row_count - 1))
    return ""


def _value_fault(item: dict[str, Any], cells: Collection[tuple[int, str]]) -> str:
    field, value = item.get("field"), item.get("value")
    if not isinstance(field, str) or not 0 < len(field) <= FIELD_LENGTH:
        return "field is not the path of a field"
    if (item["row"], field) in cells:
        return "its cell appeared before"
    if "value" not in item or not _is_value(value):
        return "value is neither a scalar, null nor a list of scalars"
    if len(orjson.dumps(value).decode()) > VALUE_LENGTH:
        return f"value is longer than {VALUE_LENGTH:,} characters"
    return ""


def _finding_fault(item: dict[str, Any]) -> str:
    field, message = item.get("field"), item.get("message")
    if field is not None and (not isinstance(field, str) or not 0 < len(field) <= FIELD_LENGTH):
        return "field is not the path of a field"
    if item.get("severity") not in FOUND_SEVERITIES:
        return "severity is neither error nor warning"
    if not isinstance(message, str) or not 0 < len(message.strip()) <= MESSAGE_LENGTH:
        return Sentence("message is not a text of at most {n1} characters", n1=str(MESSAGE_LENGTH))
    return ""


def _not_found(why: str) -> HostResults:
    return HostResults(note=Sentence("The host's findings were not stored: {A}.", A=why))


def _fault(item: Any, row_count: int) -> str:
    if not isinstance(item, dict):
        return "there is no object"
    row, status, message = item.get("row"), item.get("status"), item.get("message", "")
    if type(row) is not int or not 0 <= row < row_count:
        return Sentence("row is not a number from 0 to {n1}", n1=str(row_count - 1))
    if not isinstance(status, str) or not 0 < len(status) <= STATUS_LENGTH:
        return Sentence("status is not a text of at most {n1} characters", n1=str(STATUS_LENGTH))
    if not isinstance(message, str) or len(message) > MESSAGE_LENGTH:
        return Sentence("message is not a text of at most {n1} characters", n1=str(MESSAGE_LENGTH))
    before = item.get("before", {})
    if not isinstance(before, dict) or not all(map(_is_value, before.values())):
        return "before is not an object of values"
    return ""


def _is_value(value: Any) -> bool:
    """Return whether a value looks like a delivered one: at most a list of scalars."""
    return not any(
        isinstance(item, (dict, list)) for item in (value if isinstance(value, list) else [value])
    )


def _ignored(why: str) -> HostResults:
    return HostResults(note=Sentence("The host's results were not stored: {A}.", A=why))

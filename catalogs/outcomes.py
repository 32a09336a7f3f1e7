"""How the outcome of a test file differs from what is expected of it. Pure."""

from collections.abc import Iterator
from typing import Any

from tabular.model.sentences import Sentence, counted

Json = dict[str, Any]
MOST_DIFFERENCES = 20  # that are listed


def differences(expected: Json, got: Json) -> list[str]:
    """
    Return in sentences how an outcome differs from what was expected; empty if it does not.

    >>> differences({"questions": 1}, {"questions": 2})
    ['Expected 1 question, got 2 questions.']
    """
    return list(_differences(expected, got))[:MOST_DIFFERENCES]


def _differences(expected: Json, got: Json) -> Iterator[str]:
    before, after = expected.get("problem"), got.get("problem")
    if before != after:
        if after is None:
            yield Sentence(
                "Expected the problem {before}, but the file can be read.", before=before
            )
        elif before is None:
            yield Sentence("The file cannot be tested: {after}.", after=after)
        else:
            yield Sentence(
                "Expected the problem {before}, got {after}.", before=before, after=after
            )
        return
    yield from _of_columns(expected.get("columns") or {}, got.get("columns") or {})
    yield from _of_missing(set(expected.get("missing") or ()), set(got.get("missing") or ()))
    yield from _of_issues(_counts(expected), _counts(got))
    wanted, count = expected.get("questions") or 0, got.get("questions") or 0
    if wanted != count:
        yield Sentence(
            "Expected {WANTED}, got {ASKED}.",
            WANTED=counted(wanted, "question"),
            ASKED=counted(count, "question"),
        )


def _of_columns(before: Json, after: Json) -> Iterator[str]:
    for column in dict.fromkeys([*before, *after]):
        was, now = before.get(column), after.get(column)
        if was == now:
            continue
        if now is None:
            yield Sentence(
                "The column “{column}” is no longer mapped to {was}.", column=column, was=was
            )
        elif was is None:
            yield Sentence("The column “{column}” is now mapped to {now}.", column=column, now=now)
        else:
            yield Sentence(
                "The column “{column}” is mapped to {now} instead of {was}.",
                column=column,
                now=now,
                was=was,
            )


def _of_missing(before: set[str], after: set[str]) -> Iterator[str]:
    for path in sorted(after - before):
        yield Sentence("The required field {path} has no column.", path=path)
    for path in sorted(before - after):
        yield Sentence("Expected no column for {path}, which is required; there is one.", path=path)


def _of_issues(before: dict[tuple[str, str, str], int], after: dict[Any, int]) -> Iterator[str]:
    for named in dict.fromkeys([*before, *after]):
        was, now = before.get(named, 0), after.get(named, 0)
        field, code, severity = named
        if was != now:
            expected, got = counted(was, severity), counted(now, severity)
            yield Sentence(
                "Expected {EXPECTED} in {field} ({code}), got {GOT}.",
                EXPECTED=expected,
                field=field,
                code=code,
                GOT=got,
            )


def _counts(outcome: Json) -> dict[tuple[str, str, str], int]:
    return {
        (item["field"], item["code"], item["severity"]): item["count"]
        for item in outcome.get("issues") or ()
    }

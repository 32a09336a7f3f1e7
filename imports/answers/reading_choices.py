"""Which restored rows a new choice about the file keeps. Pure."""

from dataclasses import replace

from tabular.model.places import ReadingChoices


def with_taken_back(choices: ReadingChoices, before: ReadingChoices) -> ReadingChoices:
    """Return the choices with the rows restored before, if rows keep their numbers."""
    if not _numbers_alike(choices, before):
        return choices
    return replace(choices, take_back=before.take_back)


def left_out_again(choices: ReadingChoices, before: ReadingChoices) -> set[int]:
    """Return the rows that were restored before and that the choices skip."""
    kept = set(choices.take_back) if _numbers_alike(choices, before) else set()
    return set(before.take_back) - kept


def _numbers_alike(choices: ReadingChoices, before: ReadingChoices) -> bool:
    numbered = {
        (one.table or 0, one.tables, one.entries, one.joined_lines or "join")
        for one in (choices, before)
    }
    return len(numbered) == 1

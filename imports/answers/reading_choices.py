"""Which restored rows a new choice about the file keeps. Pure."""

from dataclasses import replace

from tabular.model.places import ReadingChoices


def with_restored(choices: ReadingChoices, before: ReadingChoices) -> ReadingChoices:
    """Return the choices with the rows restored before, if rows keep their numbers."""
    if not _numbers_alike(choices, before):
        return choices
    return replace(choices, restored=before.restored)


def skipped_again(choices: ReadingChoices, before: ReadingChoices) -> set[int]:
    """Return the rows that were restored before and that the choices skip."""
    kept = set(choices.restored) if _numbers_alike(choices, before) else set()
    return set(before.restored) - kept


def _numbers_alike(choices: ReadingChoices, before: ReadingChoices) -> bool:
    numbered = {
        (
            item.table or 0,
            item.tables,
            item.entries,
            item.joined_on,
            item.joined_lines or "join",
            item.frames,
        )
        for item in (choices, before)
    }
    return len(numbered) == 1

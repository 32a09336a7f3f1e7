"""Choose the reader for a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tabular.model.issue import Issue
from tabular.model.places import ReadingChoices
from tabular.model.problem import Limits, UnreadableFile
from tabular.model.recognition import Recogniser
from tabular.model.sentences import Sentence
from tabular.model.table import Progress, Reading, silent
from tabular.reading.recognising import FileFormat, picture_refused, recognise
from tabular.reading.related_tables import are_one_table, questions_of, related_tables

if TYPE_CHECKING:
    from tabular.reading.archive import Unpacked


def read(
    path: Path,
    *,
    choices: ReadingChoices = ReadingChoices(),  # noqa: B008 -- frozen
    limits: Limits = Limits(),  # noqa: B008 -- frozen
    progress: Progress = silent,
    recogniser: Recogniser | None = None,
) -> Reading:
    """
    Find the tables of a file.

    recogniser: of text in pictures; without, they are refused. Raises UnreadableFile if the bytes
    are not a table, LimitExceeded if they exceed a limit, UnusableRequest if a choice does not fit
    the file.
    """
    file_format = recognise(path)
    if file_format in {"gz", "zip"}:
        from tabular.reading.archive import unpack

        progress("unpacking", 0, None)
        is_zip = file_format == "zip"
        unpacked = unpack(path, is_zip=is_zip, password=choices.password, limits=limits)
        reading = _read_all(unpacked, choices, limits, progress, recogniser)
    else:
        reading = _read(path, file_format, choices, limits, progress, recogniser)
    reading = _with_stack(_with_related(reading), choices, limits)
    parts = reading.tables[reading.chosen].stacked if reading.chosen < len(reading.tables) else ()
    if parts and not choices.tables and (choices.header_rows is not None or choices.restored):
        # These choices are about the parts, which are known only after this first read.
        join = reading.tables[reading.chosen].join
        on = join.on if join else None
        with_parts = replace(choices, table=None, tables=parts, joined_on=on)
        return read(
            path, choices=with_parts, limits=limits, progress=progress, recogniser=recogniser
        )
    return _asking(reading)


def _read_all(
    files: Sequence[Unpacked],
    choices: ReadingChoices,
    limits: Limits,
    progress: Progress,
    recogniser: Recogniser | None,
) -> Reading:
    """Read the files of an archive; one of several without a table is skipped with an issue."""
    readings: list[Reading] = []
    first = 0
    for file in files:
        own = choices if len(files) == 1 else choices.from_table(first)
        try:
            reading = _read_packed(file, own, limits, progress, recogniser)
        except UnreadableFile as problem:
            if len(files) == 1:
                raise
            readings.append(Reading("", (), (), issues=(_left_out(file, problem),)))
            continue
        readings.append(reading)
        first += len(reading.tables)
    if not first:
        raise UnreadableFile("no_table_found", "No file of the archive holds a table.")
    return _joined(readings)


def _read_packed(
    file: Unpacked,
    choices: ReadingChoices,
    limits: Limits,
    progress: Progress,
    recogniser: Recogniser | None,
) -> Reading:
    inner = recognise(file.path)
    if inner in {"gz", "zip"}:
        raise UnreadableFile(
            "nested_archive", "The archive holds another archive. Unpack it first."
        )
    from tabular.reading.archive import UnpackedBody

    reading = _read(file.path, inner, choices, limits, progress, recogniser)
    return replace(
        reading,
        tables=tuple(replace(table, file=file.name, frames=()) for table in reading.tables),
        bodies=tuple(UnpackedBody(body, file) for body in reading.bodies),
    )


def _joined(readings: Sequence[Reading]) -> Reading:
    """Combine the tables of several files; a question about two of them is asked once."""
    formats = dict.fromkeys(reading.file_format for reading in readings if reading.tables)
    by_kind = {
        question.kind: question for reading in reversed(readings) for question in reading.questions
    }
    return Reading(
        next(iter(formats)),
        tuple(table for reading in readings for table in reading.tables),
        tuple(body for reading in readings for body in reading.bodies),
        questions=tuple(by_kind.values()),
        issues=tuple(issue for reading in readings for issue in reading.issues),
    )


def _left_out(file: Unpacked, problem: UnreadableFile) -> Issue:
    message = Sentence(
        "The file {file} of the archive was skipped. {A}", file=repr(file.name), A=problem.sentence
    )
    return Issue("unread_file", "warning", message=message, value=file.name)


def _with_related(reading: Reading) -> Reading:
    """Add the pairs of tables that may belong together."""
    if len(reading.tables) < 2:
        return reading
    from tabular.reading.joining import related

    return replace(reading, related=related(reading))


def _with_stack(reading: Reading, choices: ReadingChoices, limits: Limits) -> Reading:
    """Choose the table; offer the stack of the tables with its header, or the requested one."""
    if not choices.tables and len(reading.tables) < 2:
        return replace(reading, chosen=choices.table or 0)
    from tabular.reading.joining import joined
    from tabular.reading.stacking import side_by_side, stacked

    if choices.tables and choices.joined_on is not None:
        return joined(reading, choices.tables, choices.joined_on, limits)
    if choices.tables and choices.entries:
        return side_by_side(reading, choices.tables)
    if choices.tables:
        return stacked(reading, choices.tables)
    reading = replace(reading, chosen=choices.table or 0)
    together = related_tables(reading.tables)
    if not together:
        return reading
    with_stack = stacked(reading, together)
    is_one = are_one_table([reading.tables[number] for number in together])
    if choices.table is None and is_one:
        return with_stack
    return replace(with_stack, chosen=reading.chosen)


def _asking(reading: Reading) -> Reading:
    """Add the questions that all formats share, unless a reader has asked them itself."""
    if not reading.tables:
        return reading
    if any(table.stacked for table in reading.tables):  # offered with the others, by one question
        own = tuple(question for question in reading.questions if question.kind != "table")
        reading = replace(reading, questions=own)
    kinds = {question.kind for question in reading.questions}
    more = (question for question in questions_of(reading) if question.kind not in kinds)
    return replace(reading, questions=(*reading.questions, *more))


def _read(
    path: Path,
    file_format: FileFormat,
    choices: ReadingChoices,
    limits: Limits,
    progress: Progress,
    recogniser: Recogniser | None,
) -> Reading:
    if file_format == "pdf":
        from tabular.reading.pdf import read_pdf

        return read_pdf(
            path, choices=choices, limits=limits, progress=progress, recogniser=recogniser
        )
    if file_format == "image":
        if recogniser is None:
            raise picture_refused()
        from tabular.reading.pdf.scans.reader import read_picture

        return read_picture(
            path, choices=choices, limits=limits, progress=progress, recogniser=recogniser
        )
    if file_format == "json":
        from tabular.reading.structured import read_structured

        return read_structured(path, choices=choices, limits=limits, progress=progress)
    if file_format == "xml":
        from tabular.reading.structured import read_xml

        return read_xml(path, choices=choices, limits=limits, progress=progress)
    if file_format == "text":
        from tabular.reading.text import read_text

        return read_text(path, choices=choices, limits=limits, progress=progress)
    if file_format in {"parquet", "feather"}:
        from tabular.reading.structured import read_columnar

        return read_columnar(path, file_format, limits=limits, progress=progress)
    if file_format in {"dta", "sas7bdat", "xpt", "sav"}:
        from tabular.reading.structured import read_statistical

        return read_statistical(path, file_format, limits=limits, progress=progress)
    from tabular.reading.workbook import read_workbook

    return read_workbook(path, file_format, choices=choices, limits=limits, progress=progress)

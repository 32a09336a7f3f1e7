"""Which reader a file goes to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tabular.model.limits import Limits
from tabular.model.problem import UnreadableFile
from tabular.model.table import Progress, Reading, ReadingChoices, silent
from tabular.reading.archive import UnpackedBody, unpack
from tabular.reading.asking import questions_of
from tabular.reading.recognising import FileFormat, recognise


def read(
    path: Path,
    *,
    choices: ReadingChoices = ReadingChoices(),  # noqa: B008 -- frozen
    limits: Limits = Limits(),  # noqa: B008 -- frozen
    progress: Progress = silent,
) -> Reading:
    """
    Find the tables of a file.

    Raises UnreadableFile when the bytes are no table, LimitExceeded when they ask for too much,
    UnusableRequest when a choice does not fit the file.
    """
    file_format = recognise(path)
    if file_format not in {"gz", "zip"}:
        return _asking(_read(path, file_format, choices, limits, progress))
    progress("unpacking", 0, None)
    is_zip = file_format == "zip"
    unpacked = unpack(path, is_zip=is_zip, password=choices.password, limits=limits)
    inner = recognise(unpacked.path)
    if inner in {"gz", "zip"}:
        raise UnreadableFile(
            "nested_archive", "The archive holds another archive. Please unpack it first."
        )
    reading = _read(unpacked.path, inner, choices, limits, progress)
    bodies = tuple(UnpackedBody(body, unpacked) for body in reading.bodies)
    return _asking(replace(reading, bodies=bodies))


def _asking(reading: Reading) -> Reading:
    """Add the questions every format shares, where a reader has not asked them itself."""
    asked = {question.kind for question in reading.questions}
    if asked & {"table", "header_row"} or not reading.tables:
        return reading
    return replace(reading, questions=(*reading.questions, *questions_of(reading.tables)))


def _read(
    path: Path,
    file_format: FileFormat,
    choices: ReadingChoices,
    limits: Limits,
    progress: Progress,
) -> Reading:
    if file_format == "pdf":
        from tabular.reading.pdf import read_pdf

        return read_pdf(path, choices=choices, limits=limits, progress=progress)
    if file_format == "json":
        from tabular.reading.structured import read_structured

        return read_structured(path, choices=choices, limits=limits, progress=progress)
    if file_format == "text":
        from tabular.reading.text import read_text

        return read_text(path, choices=choices, limits=limits, progress=progress)
    if file_format in {"parquet", "feather"}:
        from tabular.reading.structured import read_columnar

        return read_columnar(path, file_format, limits=limits, progress=progress)
    from tabular.reading.workbook import read_workbook

    return read_workbook(path, file_format, choices=choices, limits=limits, progress=progress)

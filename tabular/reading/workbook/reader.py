"""Read a workbook: lay out every sheet, report hidden ones, lose none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tabular.model.issue import Issue
from tabular.model.places import ReadingChoices
from tabular.model.problem import Limits, UnreadableFile, is_panic
from tabular.model.sentences import Sentence, counted
from tabular.model.table import Progress, Reading
from tabular.reading.layout import Span
from tabular.reading.limiting import check_counts
from tabular.reading.recognising import FileFormat
from tabular.reading.workbook.biff import inspect_records
from tabular.reading.workbook.binary import inspect_binary
from tabular.reading.workbook.document import read_document
from tabular.reading.workbook.html import read_html
from tabular.reading.workbook.opendocument import inspect_ods
from tabular.reading.workbook.package import Inspected, SheetParts, damaged
from tabular.reading.workbook.repair import repaired
from tabular.reading.workbook.sheet import Sheet
from tabular.reading.workbook.sheet_xml import inspect
from tabular.reading.workbook.spreadsheetml import read_spreadsheetml
from tabular.reading.workbook.tables import Found, tables_of, with_choices


def read_workbook(
    path: Path,
    file_format: FileFormat,
    *,
    choices: ReadingChoices,
    limits: Limits,
    progress: Progress,
) -> Reading:
    """
    Read every sheet of a workbook.

    Raises UnreadableFile (damaged_file, unsafe_file, password_protected, no_table_found) and
    LimitExceeded.
    """
    progress("package", 0, None)
    issues: list[Issue] = []
    all_tables: list[Found] = []
    for number, sheet in enumerate(_sheets_of(path, file_format, limits)):
        progress("sheets", number, None)
        if isinstance(sheet, Issue):
            issues.append(sheet)
            continue
        check_counts(sheet.rows, sheet.columns, limits)
        issues.extend(_oddities(sheet))
        all_tables.extend(tables_of(sheet, limits=limits, progress=progress))
    if not all_tables and any(issue.code == "unread_sheet" for issue in issues):
        raise damaged()
    if not all_tables:
        raise UnreadableFile("no_table_found", "Every sheet of the workbook is empty.")
    all_tables.sort(key=_rank(all_tables))
    for place, item in enumerate(all_tables):
        if (own := choices.of_table(place)) is not None:
            all_tables[place] = with_choices(item, own)
    tables = tuple(item.table for item in all_tables)
    bodies = tuple(item.body for item in all_tables)
    return Reading(file_format, tables, bodies, issues=tuple(issues))


def _sheets_of(path: Path, file_format: FileFormat, limits: Limits) -> Iterable[Sheet | Issue]:
    if file_format == "html":
        return read_html(path, limits)
    if file_format == "docx":
        return read_document(path, limits)
    if file_format == "spreadsheetml":
        return read_spreadsheetml(path, limits)
    return _sheets(path, file_format, _inspected(path, file_format, limits))


def _inspected(path: Path, file_format: FileFormat, limits: Limits) -> Inspected:
    if file_format == "xlsx":
        return inspect(path, limits)
    if file_format == "xlsb":
        return inspect_binary(path, limits)
    if file_format == "ods":
        return inspect_ods(path, limits)
    return inspect_records(path)


def _rank(tables: list[Found]) -> Any:
    """Order by sheet, with hidden or almost empty sheets last."""
    largest = max(item.region.cells for item in tables)

    def key(table: Found) -> tuple[bool, bool, bool]:
        is_table = len(table.region.places) > 1 and len(table.region.rows) > 0
        is_slight = table.region.cells < 50 and table.region.cells * 100 < largest
        return table.sheet.is_hidden, not is_table, is_slight

    return key


def _sheets(path: Path, file_format: FileFormat, seen: Inspected) -> Iterator[Sheet | Issue]:
    """Yield the sheets of a workbook, and an issue for each that cannot be read."""
    yield from _broken_parts(seen)
    try:
        if not (seen.has_formats and seen.is_usual):
            raise damaged()
        workbook = _opened(path)
    except UnreadableFile as problem:
        if file_format != "xlsx" or problem.code != "damaged_file":
            raise
    else:
        yield from _sheets_in(workbook, seen)
        return
    with repaired(path, seen) as copy:
        yield from map(_unread_sheet, copy.damaged)
        yield from map(_macro_sheet, copy.macros)
        yield from _sheets_in(_opened(copy.path), seen)


def _opened(path: Path) -> Any:
    from python_calamine import CalamineWorkbook

    with _translated():
        return CalamineWorkbook.from_path(str(path))


def _sheets_in(workbook: Any, seen: Inspected) -> Iterator[Sheet | Issue]:
    for about in workbook.sheets_metadata:
        if str(about.typ).endswith("MacroSheet"):
            yield _macro_sheet(about.name)
        if not str(about.typ).endswith("WorkSheet"):
            continue
        try:
            if about.name in seen.lost:
                raise damaged()
            with _translated():
                cells = workbook.get_sheet_by_name(about.name)
                ranges = getattr(cells, "merged_cell_ranges", None) or ()
        except UnreadableFile as problem:
            if problem.code != "damaged_file":
                raise
            yield _unread_sheet(about.name)
            continue
        parts = seen.sheets.get(about.name, SheetParts())
        yield Sheet(
            name=about.name,
            cells=cells,
            is_hidden=not str(about.visible).endswith(".Visible"),
            parts=parts,
            spans=tuple(Span(*first, *last) for first, last in ranges) or tuple(parts.spans),
        )


def _unread_sheet(name: str) -> Issue:
    message = Sentence("The sheet {sheet} cannot be read and was skipped.", sheet=repr(name))
    return Issue("unread_sheet", "warning", message=message, value=name)


def _macro_sheet(name: str) -> Issue:
    message = Sentence("The sheet {sheet} holds macros and was skipped.", sheet=repr(name))
    return Issue("macro_sheet", "warning", message=message, value=name)


def _broken_parts(seen: Inspected) -> Iterator[Issue]:
    if not seen.has_formats:
        message = "The number formats are damaged: days and percentages appear as plain numbers."
        yield Issue("damaged_formats", "warning", message=message)
    if seen.damaged:
        parts = counted(len(seen.damaged), "part")
        message = Sentence(
            "The workbook has {PARTS} without rows that cannot be unpacked.", PARTS=parts
        )
        yield Issue("damaged_parts", "warning", message=message)


@contextmanager
def _translated() -> Iterator[None]:
    """Translate calamine's errors: it does not have classes for all of them."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        if "password" in str(error).lower() or "encrypt" in str(error).lower():
            raise UnreadableFile(
                "password_protected",
                "The file is protected by a password. Enter it, or send an unprotected file.",
            ) from error
        raise damaged() from error
    except BaseException as error:
        if not is_panic(error):
            raise
        raise damaged() from error


def _oddities(sheet: Sheet) -> Iterator[Issue]:
    """Yield issues about what a user who looks at the workbook would not see, or would miss."""
    if sheet.is_hidden:
        message = Sentence(
            "The sheet {sheet} is hidden; its tables come last.", sheet=repr(sheet.name)
        )
        yield Issue("hidden_sheet", "warning", message=message)
    if sheet.parts.hidden_rows:
        hidden = counted(sheet.parts.hidden_rows, "hidden row")
        message = Sentence(
            "The sheet {sheet} has {HIDDEN}, read like the others.",
            sheet=repr(sheet.name),
            HIDDEN=hidden,
        )
        yield Issue("hidden_rows", "warning", message=message)
    if not sheet.rows:
        yield Issue(
            "empty_sheet",
            "warning",
            message=Sentence("The sheet {sheet} is empty.", sheet=repr(sheet.name)),
        )

"""An empty workbook of a catalog: headers with examples, dropdowns for the options."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING

from tabular.model.catalog import Catalog, Field
from tabular.model.sentences import Sentence, translated
from tabular.writing.cells import written
from tabular.writing.headers import headers

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.cell import Cell
    from openpyxl.cell.cell import MergedCell
    from openpyxl.worksheet.worksheet import Worksheet

OPTIONS_SHEET = "Options"
LAST_ROW = 1_048_576
MAX_PROMPT = 255  # characters; Excel calls a file with longer ones damaged
MAX_SHEET_NAME = 31
RESERVED_NAMES = {"options", "history"}
AS_DATE = "yyyy-mm-dd"
AS_TEXT = "@"  # keeps leading zeros and long numbers
FORMATS = {
    **dict.fromkeys(("int", "float", "percentage", "currency_eur", "currency_usd"), "General"),
    **dict.fromkeys(("date", "date_dmy", "date_mdy", "date_iso"), AS_DATE),
    **dict.fromkeys(("boolean", "datetime"), "General"),
}


def template(catalog: Catalog, *, language: str = "en") -> bytes:
    """
    Return the workbook that users fill in for ``catalog``, without hidden and disabled fields.

    language: of what the engine says in it; headers, descriptions and options are the catalog's.
    Examples are in notes and input messages, never in a row, so they are not imported by accident.
    """
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    sheet = book.create_sheet(_sheet_name(catalog))
    sheet.freeze_panes = "A2"
    fields = catalog.live_fields
    for number, (field_path, name) in enumerate(headers(catalog).items(), start=1):
        field = fields[field_path]
        _column(sheet, number, name, field, language)
        _input(sheet, number, field, _options(book, field), language)
    saved = BytesIO()
    book.save(saved)
    return saved.getvalue()


def _column(sheet: Worksheet, number: int, name: str, field: Field, language: str) -> None:
    from openpyxl.comments import Comment
    from openpyxl.styles import Font, PatternFill
    from openpyxl.utils import get_column_letter

    cell = _put(sheet, 1, number, name)
    cell.font = Font(bold=True)
    if field.is_required:
        cell.fill = PatternFill("solid", start_color="FFF2CC")
    cell.comment = Comment(about(field, language), "Import Engine", height=120, width=300)
    width = sheet.column_dimensions[get_column_letter(number)]
    width.width = min(60, max(14, len(name) + 4))
    width.number_format = FORMATS.get(field.column_type, AS_TEXT)


def _put(sheet: Worksheet, row: int, column: int, text: str) -> Cell | MergedCell:
    """Put text into a cell, as text and nothing else."""
    cell = sheet.cell(row=row, column=column, value=written(text))
    cell.data_type = "s"  # openpyxl reads a leading = as a formula
    return cell


def about(field: Field, language: str) -> str:
    """Return what a field expects, line by line: if it is required, its meaning, an example."""
    lines = [
        translated("Required" if field.is_required else "Optional", language),
        field.description or "",
        translated(Sentence("Example: {value}", value=field.example), language)
        if field.example
        else "",
    ]
    return written("\n".join(line for line in lines if line))


def _options(book: Workbook, field: Field) -> str:
    """Write a field's options to a column of the hidden sheet. Return their address."""
    from openpyxl.utils import get_column_letter

    labels = [option.label for option in field.dropdown_options or ()]
    if not labels:
        return ""
    if OPTIONS_SHEET not in book.sheetnames:
        book.create_sheet(OPTIONS_SHEET).sheet_state = "hidden"
    lists = book[OPTIONS_SHEET]
    column = 1 if lists.cell(row=1, column=1).value is None else lists.max_column + 1
    for row, label in enumerate(labels, start=1):
        _put(lists, row, column, label)
    letter = get_column_letter(column)
    return f"{OPTIONS_SHEET}!${letter}$1:${letter}${len(labels)}"


def _input(sheet: Worksheet, number: int, field: Field, options: str, language: str) -> None:
    """Show a column's input message and its options as a list when one of its cells is chosen."""
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    rule = DataValidation(allow_blank=True, showInputMessage=True)
    rule.prompt = about(field, language)[:MAX_PROMPT]
    if options:
        rule.type, rule.formula1 = "list", options
        rule.showErrorMessage = not (field.allow_custom_options or field.is_multi_select)
        rule.error = translated("Choose one from the list.", language)
    letter = get_column_letter(number)
    rule.add(f"{letter}2:{letter}{LAST_ROW}")
    sheet.add_data_validation(rule)


def _sheet_name(catalog: Catalog) -> str:
    name = re.sub(r"[\\/*?:\[\]]", " ", written(catalog.title or catalog.key))
    name = name.strip().strip("'")[:MAX_SHEET_NAME] or "Import"
    return f"{name[: MAX_SHEET_NAME - 1]}_" if name.casefold() in RESERVED_NAMES else name

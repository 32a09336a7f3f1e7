"""What the values of each field of a row are once they are delivered. See docs/columntypes.md."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tabular.model.amounts import CURRENCY_OF, currency_of_field
from tabular.model.catalog import Catalog, Field

Kind = Literal["string", "integer", "number", "boolean"]
DATES = frozenset({"date", "date_dmy", "date_mdy", "date_iso"})
NUMBERS = frozenset({"float", "percentage"})


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a row."""

    path: str
    field: Field
    kinds: tuple[Kind, ...]
    choices: tuple[str | int | float, ...]  # the only values, if any are listed
    is_list: bool
    is_nullable: bool
    is_date: bool

    @property
    def comment(self) -> str:
        """What the field is, on one line."""
        label, description = self.field.label or "", self.field.description or ""
        about = ": ".join(_one_line(part) for part in (label, description) if part.strip())
        notes = (about, *self._notes())
        return ". ".join(note.rstrip(".") for note in notes if note)

    def _notes(self) -> Iterator[str]:
        form = self.field.output_format
        if self.is_date:
            yield "A date, YYYY-MM-DD"
        elif form and not self.choices and self.kinds == ("string",):
            yield f"Written as {_one_line(form)}"
        if currency := currency_of_field(self.field):
            yield f"In {currency}"
        if "string" in self.kinds and len(self.kinds) > 1:
            yield "A string where a number would lose digits"
        if self.field.reference is not None:
            yield f"Refers to {_one_line(self.field.reference.entity)}; `links` has its ref"


@dataclass(frozen=True, slots=True)
class Row:
    """The row of a delivery."""

    key: str
    number: int
    members: tuple[Member, ...]

    @property
    def name(self) -> str:
        """
        A name for the type.

        >>> Row("2026-customer.orders", 1, ()).name, Row("orders", 1, ()).name
        ('Catalog2026CustomerOrdersRow', 'OrdersRow')
        """
        words = re.findall(r"[A-Za-z0-9]+", self.key)
        name = "".join(word[0].upper() + word[1:] for word in words)
        return f"{'Catalog' if name[0].isdigit() else ''}{name}Row"

    @property
    def title(self) -> str:
        """A sentence for the head of a file."""
        return f"One row of a delivery, by version {self.number} of the catalog {self.key}."


def row_of(catalog: Catalog, *, number: int, with_errors: bool) -> Row:
    """Return the row of a catalog. with_errors: a value that has an error is delivered as null."""
    one_entry = len(list(_entries(catalog))) == 1
    members = (
        _member(path, field, is_certain=one_entry and not with_errors)
        for path, field in catalog.live_fields.items()
    )
    return Row(catalog.key, number, tuple(members))


def _entries(catalog: Catalog) -> Iterator[str]:
    """Yield the entries of live fields; a row may contain only some of several entries."""
    for entry in catalog.entries:
        if any(not field.disabled for field in entry.fields):
            yield entry.id


def _member(path: str, field: Field, *, is_certain: bool) -> Member:
    kinds, choices = _values(field)
    return Member(
        path=path,
        field=field,
        kinds=kinds,
        choices=choices,
        is_list=bool(field.is_multi_select) and _takes_options(field),
        is_nullable=not (is_certain and _is_always_filled(field)),
        is_date=kinds == ("string",) and field.column_type in DATES and not _is_written(field),
    )


def _is_always_filled(field: Field) -> bool:
    """Return whether a row without errors always has a value; people may empty a wrong option."""
    left_out = field.reference is not None and field.reference.on_missing == "null"
    return _is_demanded(field) and not left_out and not _takes_options(field)


def _is_demanded(field: Field) -> bool:
    rules = [rule for rule in field.validations or () if rule.validate_ == "required"]
    return any(rule.severity != "warning" for rule in rules) if rules else bool(field.required)


def _takes_options(field: Field) -> bool:
    return field.column_type == "category" or bool(field.dropdown_options)


def _is_written(field: Field) -> bool:
    from tabular.types.output_formats import output_format_of

    return _takes_options(field) or output_format_of(field) is not None


def _values(field: Field) -> tuple[tuple[Kind, ...], tuple[str | int | float, ...]]:
    """Return of which kinds the values are, and which ones there are if they are listed."""
    if _takes_options(field):
        return _options(field)
    if _is_written(field):
        return ("string",), ()
    if currency_of_field(field) or field.column_type in CURRENCY_OF:
        return ("number", "string"), ()
    if field.column_type == "int":
        return ("integer", "string"), ()
    if field.column_type in NUMBERS:
        return ("number",), ()
    return ("boolean" if field.column_type == "boolean" else "string",), ()


def _options(field: Field) -> tuple[tuple[Kind, ...], tuple[str | int | float, ...]]:
    """Return the same of options: texts if any of them is one, otherwise numbers."""
    options = field.dropdown_options or ()
    types = {option.type for option in options}
    kinds: tuple[Kind, ...] = ("string",)
    if types == {"int"}:
        kinds = ("integer", "string") if field.allow_custom_options else ("integer",)
    elif types and types <= {"int", "float"}:
        kinds = ("number",)
    if field.allow_custom_options or not options:
        return kinds, ()
    values = (str(o.value) if kinds == ("string",) else o.value for o in options)
    return kinds, tuple(dict.fromkeys(values))


def _one_line(text: str) -> str:
    """Return a text without line breaks and other characters that do not print."""
    shown = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(shown.split())

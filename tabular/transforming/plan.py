"""Everything that determines how a file's texts are transformed."""

from collections.abc import Mapping as ReadOnly
from dataclasses import dataclass, field
from functools import cached_property

from tabular.model.catalog import Catalog, Context, Entry, Field, with_options
from tabular.model.mapping import Mapping
from tabular.model.problem import UnusableRequest
from tabular.model.recipe import ReadDate, ReadNumber, Recipe, Step
from tabular.protocol.answers import Answers
from tabular.values import NumberFormat
from tabular.values.dates import DateOrder
from tabular.values.vocabularies import fold


def names_of(field_: Field) -> tuple[str, ...]:
    """Return the names of a field: key, label, alternative matches."""
    label = (field_.label,) if field_.label else ()
    return (field_.key, *label, *(field_.alternative_matches or ()))


def document_text(field_: Field, pairs: ReadOnly[str, str]) -> str | None:
    """Return the text of the pair above the table for a field of scope document."""
    by_name = {fold(name): text for name, text in pairs.items()}
    return next((by_name[fold(n)] for n in names_of(field_) if fold(n) in by_name), None)


class UnusablePlan(UnusableRequest):
    """The mapping or recipe does not fit the catalog or the file."""


@dataclass(frozen=True)
class Plan:
    """
    The same plan over the same source gives the same rows, byte for byte.

    mapping: column name (of the source, or made by the recipe) to field path. answers: what was
    decided by asking.
    document: pairs found above the table, for fields of scope document, by the name in the file;
    a text whose kind the file gives is in the class of its kind.
    delimiter: the cell separator of a text file, as evidence for how its numbers are written.
    context: its region is the catalog's unless it names one.
    keep: positions in the source of rows that no step of the recipe drops.
    """

    catalog: Catalog
    mapping: Mapping
    context: Context
    recipe: Recipe | None = None
    answers: Answers = field(default_factory=Answers)
    document: ReadOnly[str, str] = field(default_factory=dict)
    delimiter: str | None = None
    keep: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        if self.context.options:
            # Rules, formats and types must all see the options with which the values are read.
            given = with_options(self.catalog, self.context.options)
            object.__setattr__(self, "catalog", given)
        if self.context.region is None and self.catalog.region is not None:
            here = self.context.model_copy(update={"region": self.catalog.region})
            object.__setattr__(self, "context", here)
        for column, path in self.mapping.items():
            if path not in self.catalog.live_fields:
                raise UnusablePlan(
                    "unknown_field",
                    f"The mapping maps column “{column}” to “{path}”, which is not an "
                    "active field.",
                    column=column,
                    field=path,
                )
        if len(set(self.mapping.values())) < len(self.mapping):
            raise UnusablePlan(
                "field_mapped_twice",
                "Two columns are mapped to one field; join them in the recipe first.",
                mapping=dict(self.mapping),
            )

    @cached_property
    def columns_by_path(self) -> dict[str, str]:
        """The column that feeds each field."""
        return {path: column for column, path in self.mapping.items()}

    def origins_of(self, path: str) -> frozenset[str]:
        """Return the columns of the file that may feed a field, through the recipe."""
        column = self.columns_by_path.get(path)
        followed = {column} if column else set()
        for step in reversed(self._steps):
            if followed & {*step.makes}:
                followed = (followed - {*step.makes}) | {*step.reads}
        return frozenset(followed)

    @cached_property
    def fields(self) -> dict[str, Field]:
        """The live fields of every entry that takes part, by path, in the catalog's order."""
        return {
            path: field_
            for entry in self.catalog.entries
            for path, field_ in self._live(entry).items()
        }

    @cached_property
    def documents(self) -> dict[str, str | None]:
        """The fields of scope document, with their text if a pair above the table has it."""
        return {
            path: document_text(field_, self.document)
            for path, field_ in self.fields.items()
            if field_.scope == "document"
        }

    @cached_property
    def number_formats(self) -> dict[str, NumberFormat]:
        """The decimal separators that the recipe sets, by field path."""
        return {
            path: step.format
            for step in self._steps
            if isinstance(step, ReadNumber)
            for column in step.columns
            if (path := self.mapping.get(column))
        }

    @cached_property
    def date_orders(self) -> dict[str, DateOrder]:
        """The orders of day and month that the recipe sets, by field path."""
        return {
            path: step.order
            for step in self._steps
            if isinstance(step, ReadDate)
            for column in step.columns
            if (path := self.mapping.get(column))
        }

    @property
    def _steps(self) -> tuple[Step, ...]:
        return self.recipe.steps if self.recipe else ()

    @cached_property
    def country_of(self) -> dict[str, str]:
        """The country field of each phone field's entry, if there is exactly one."""
        countries: dict[str, list[str]] = {}
        for path, field_ in self.fields.items():
            if field_.column_type in {"country_code_alpha_2", "country_code_alpha_3"}:
                countries.setdefault(self.entry_prefix(path), []).append(path)
        return {
            path: found[0]
            for path, field_ in self.fields.items()
            if field_.column_type == "phone"
            and len(found := countries.get(self.entry_prefix(path), [])) == 1
        }

    @cached_property
    def reading_order(self) -> list[str]:
        """The fields in an order in which each is read after what it depends on."""
        countries = set(self.country_of.values())
        return sorted(self.fields, key=lambda p: (p not in countries, p not in self.country_of))

    @cached_property
    def used_fields(self) -> dict[str, Field]:
        """The fields of entries with any mapping; an entry without one is not checked."""
        return {
            path: field_
            for entry in self.catalog.entries
            if self._is_used(live := self._live(entry))
            for path, field_ in live.items()
        }

    def _live(self, entry: Entry) -> dict[str, Field]:
        separator = self.catalog.key_separator
        return {f"{entry.id}{separator}{f.key}": f for f in entry.fields if not f.disabled}

    def _is_used(self, live: dict[str, Field]) -> bool:
        return any(path in self.columns_by_path for path in live)

    def entry_prefix(self, path: str) -> str:
        """Return what precedes the key in a path of an entry."""
        return path[: len(path) - len(self.fields[path].key)]

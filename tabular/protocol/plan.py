"""Everything that determines how a file's texts become rows: one value, from a draft to storage."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, PlainSerializer
from pydantic import Field as Member

from tabular.model.catalog import Catalog, Context, Entry, Field, with_options
from tabular.model.nesting import group_keys
from tabular.model.problem import UnusableRequest
from tabular.model.recipe import Lookup, ReadDate, ReadNumber, Recipe, Step
from tabular.model.sentences import Sentence
from tabular.protocol import forms
from tabular.protocol.answers import Answers, DateOrder, NumberFormat


def _without_nulls(document: BaseModel) -> dict[str, Any]:
    return document.model_dump(mode="json", exclude_none=True)


def _as_given(document: BaseModel) -> dict[str, Any]:
    return document.model_dump(mode="json", exclude_unset=True)


WrittenCatalog = Annotated[Catalog, PlainSerializer(_without_nulls)]
WrittenContext = Annotated[Context, PlainSerializer(_as_given)]
WrittenRecipe = Annotated[Recipe, PlainSerializer(_as_given)]


@dataclass(frozen=True, slots=True)
class ValueList:
    """Two columns of texts, equally long: what a lookup has for each key."""

    keys: tuple[str, ...]
    values: tuple[str, ...]


class UnusablePlan(UnusableRequest):
    """The mapping or recipe does not fit the catalog or the file."""


@dataclass(frozen=True, kw_only=True)
class TransformPlan:
    """
    The same plan over the same source gives the same rows, byte for byte.

    mapping: column name (of the source, or made by the recipe) to field path. answers: what was
    decided by asking.
    document: pairs found above the table, for fields of scope document, by the name in the file.
    document_kinds: the kinds of those texts that are more than text.
    delimiter: the cell separator of a text file, as evidence for how its numbers are written.
    keep: positions in the source of rows that no step of the recipe drops.
    lists: the value lists that lookups name, by digest. The recipe has the digests, so they are not
    stored with the plan.
    """

    catalog: WrittenCatalog
    mapping: dict[str, str]
    context: WrittenContext
    recipe: WrittenRecipe | None = None
    answers: Answers = field(default_factory=Answers)
    document: dict[str, str] = field(default_factory=dict)
    document_kinds: dict[str, int] = field(default_factory=dict)
    delimiter: str | None = None
    keep: tuple[int, ...] = ()
    lists: Annotated[Mapping[str, ValueList], Member(exclude=True)] = field(
        default_factory=dict, compare=False
    )

    __pydantic_config__: ClassVar[ConfigDict] = forms.PLAIN

    def __post_init__(self) -> None:
        for column, path in self.mapping.items():
            if path not in self.catalog.live_fields:
                raise UnusablePlan(
                    "unknown_field",
                    Sentence(
                        "The mapping maps column “{column}” to “{field}”, which is not an "
                        "active field.",
                        column=column,
                        field=path,
                    ),
                    column=column,
                    field=path,
                )
        if len(set(self.mapping.values())) < len(self.mapping):
            raise UnusablePlan(
                "field_mapped_twice",
                "Two columns are mapped to one field; join them in the recipe first.",
                mapping=dict(self.mapping),
            )

    @classmethod
    def kept(cls, document: Mapping[str, Any]) -> Self:
        """Read a plan as it is stored; members without a value may be null."""
        given = {name: item for name, item in document.items() if item is not None}
        return forms.read_kept(cls, given)

    @property
    def digest(self) -> str:
        """The SHA-256 of the plan as it is stored, in hex: equal plans have the same."""
        return sha256(forms.written(self)).hexdigest()

    @cached_property
    def target(self) -> Catalog:
        """The catalog that the rows are checked against: with the options of the context."""
        options = self.context.options
        return with_options(self.catalog, options) if options else self.catalog

    @property
    def region(self) -> str | None:
        """The country that numbers and phones are read for: the context's, else the catalog's."""
        return self.context.region or self.catalog.region

    @cached_property
    def columns_by_path(self) -> dict[str, str]:
        """The column that feeds each field."""
        return {path: column for column, path in self.mapping.items()}

    def origins_of(self, path: str) -> frozenset[str]:
        """Return the columns of the file that may feed a field, through the recipe."""
        column = self.columns_by_path.get(path)
        followed = {column} if column else set()
        for step in reversed(self.steps):
            if made := followed & {*step.makes}:
                origins = {name for each in made for name in step.origins_of(each)}
                followed = (followed - made) | origins
        return frozenset(followed)

    @cached_property
    def fields(self) -> dict[str, Field]:
        """The live fields of every entry that takes part, by path, in the catalog's order."""
        return {
            path: field_
            for entry in self.target.entries
            for path, field_ in self._live(entry).items()
        }

    @cached_property
    def number_formats(self) -> dict[str, NumberFormat]:
        """The decimal separators that the recipe sets, by field path."""
        return {
            path: step.format
            for step in self.steps
            if isinstance(step, ReadNumber)
            for column in step.columns
            if (path := self.mapping.get(column))
        }

    @cached_property
    def date_orders(self) -> dict[str, DateOrder]:
        """The orders of day and month that the recipe sets, by field path."""
        return {
            path: step.order
            for step in self.steps
            if isinstance(step, ReadDate)
            for column in step.columns
            if (path := self.mapping.get(column))
        }

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the recipe."""
        return self.recipe.steps if self.recipe else ()

    @property
    def list_digests(self) -> frozenset[str]:
        """The versions of the value lists that lookups name."""
        return frozenset(
            step.digest for step in self.steps if isinstance(step, Lookup) and step.digest
        )

    @cached_property
    def country_of(self) -> dict[str, str]:
        """The country field of each phone field's entry, if there is exactly one."""
        countries: dict[str, list[str]] = {}
        for path, field_ in self.fields.items():
            if field_.column_type in {"country_code_alpha_2", "country_code_alpha_3"}:
                countries.setdefault(self.entry_prefix(path), []).append(path)
        return {
            path: paths[0]
            for path, field_ in self.fields.items()
            if field_.column_type == "phone"
            and len(paths := countries.get(self.entry_prefix(path), [])) == 1
        }

    @cached_property
    def reading_order(self) -> list[str]:
        """The fields in an order in which each is read after what it depends on."""
        countries = set(self.country_of.values())
        return sorted(self.fields, key=lambda p: (p not in countries, p not in self.country_of))

    @cached_property
    def used_fields(self) -> dict[str, Field]:
        """
        The fields of entries that take part: those with any mapping, and their parents.

        A parent without a mapping takes part if its keys hold for the whole file: they are above
        the table, or defaults. Other entries without a mapping are not checked.
        """
        parents = {entry.child_of for entry in self.target.entries if self._is_mapped(entry)}
        return {
            path: field_
            for entry in self.target.entries
            if self._is_mapped(entry) or (entry.id in parents and self._has_whole_keys(entry))
            for path, field_ in self._live(entry).items()
        }

    def _live(self, entry: Entry) -> dict[str, Field]:
        separator = self.catalog.key_separator
        return {f"{entry.id}{separator}{f.key}": f for f in entry.fields if not f.disabled}

    def _is_mapped(self, entry: Entry) -> bool:
        return any(path in self.columns_by_path for path in self._live(entry))

    def _has_whole_keys(self, entry: Entry) -> bool:
        live, separator = self._live(entry), self.catalog.key_separator
        keys = [f"{entry.id}{separator}{key}" for key in group_keys(entry)]
        return bool(keys) and all(
            key in self.context.defaults
            or (key in live and live[key].scope == "document" and bool(self.document))
            for key in keys
        )

    def entry_prefix(self, path: str) -> str:
        """Return what precedes the key in a path of an entry."""
        return path[: len(path) - len(self.fields[path].key)]

"""The target schema. Spec: catalog entry, field, validation, dropdown option, detector, reference.

The classes are the only source of the field model: the published JSON Schema is generated from
them.
"""

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field as Constraint
from typing_extensions import TypeAliasType

from tabular.model.i_json import NotNegative, Noun, Omittable, Positive, SafeInt, Scalar, Text1

ColumnType = Literal[
    "string",
    "int",
    "float",
    "percentage",
    "boolean",
    "category",
    "date",
    "date_dmy",
    "date_mdy",
    "date_iso",
    "datetime",
    "time_hms",
    "time_hms_24",
    "time_hm",
    "time_hm_24",
    "email",
    "url",
    "url_www",
    "url_https",
    "phone",
    "iban",
    "bic",
    "vat_eu",
    "gtin",
    "zip_code_de",
    "country_code_alpha_2",
    "country_code_alpha_3",
    "currency_code",
    "currency_eur",
    "currency_usd",
]
Rule = Literal[
    "required",
    "unique",
    "regex",
    "required_with",
    "required_without",
    "required_with_all",
    "required_without_all",
    "required_with_values",
    "required_without_values",
    "required_with_all_values",
    "required_without_all_values",
    "compare",
    "reference_required",
    "reference_exists",
    "reference_unique",
]
OnKnown = Literal["keep", "fillEmpty", "ask", "overwrite"]  # the narrowest first
EmptyCells = Literal["keep", "clear"]
Guarded = Literal["apply", "revert", "publish"]  # publish: not unless it is named
LARGEST_SHARE = 0.1  # of what is known that a full sync deletes without a confirmation
MOST_RETENTION_DAYS = 36_500
FEWEST_ROWS = 5  # deleted ones that need a confirmation
Ratio = Annotated[float, Constraint(ge=0, le=1)]
Weight = Annotated[float, Constraint(ge=0, le=100)]
Condition = TypeAliasType("Condition", "dict[str, Scalar | Condition]")


class Validation(Noun):
    """One rule of a field."""

    validate_: Rule = Constraint(alias="validate")
    regex: str | None = None
    column_values: dict[str, Scalar | tuple[Scalar, ...]] | None = None
    columns: Omittable[tuple[str, ...]] = None
    op: Omittable[Literal["eq", "ne", "gt", "gte", "lt", "lte"]] = None
    column: Omittable[str] = None
    value: Omittable[Scalar] = None
    fn: Omittable[Literal["sum", "product"]] = None
    error_message: Omittable[str] = None
    severity: Omittable[Literal["error", "warning"]] = None


class OptionValidation(Noun):
    """A condition that holds whenever its option is chosen."""

    validate_: Condition = Constraint(alias="validate")
    error_message: Omittable[str] = None


class _Option(Noun):
    label: Text1
    alternative_matches: Omittable[tuple[str, ...]] = None
    description: Omittable[str] = None
    validations: Omittable[tuple[OptionValidation, ...]] = None


class StringOption(_Option):
    """An option that delivers text."""

    type: Literal["string"]
    value: str


class IntOption(_Option):
    """An option that delivers a whole number."""

    type: Literal["int"]
    value: SafeInt


class FloatOption(_Option):
    """An option that delivers a number."""

    type: Literal["float"]
    value: float


Option = Annotated[StringOption | IntOption | FloatOption, Constraint(discriminator="type")]


class BuiltinDetector(Noun):
    """Recognises a column by how many of its values read as a column type."""

    kind: Literal["builtin"]
    name: ColumnType
    min_ratio: Omittable[Ratio] = None
    weight: Omittable[Weight] = None


class RegexDetector(Noun):
    """Recognises a column by how many of its values match a pattern."""

    kind: Literal["regex"]
    pattern: Annotated[str, Constraint(min_length=1, max_length=512)]
    flags: Omittable[Annotated[str, Constraint(max_length=8)]] = None
    min_ratio: Omittable[Ratio] = None
    weight: Omittable[Weight] = None


class OneOfDetector(Noun):
    """Recognises a column by how many of its values are in a list."""

    kind: Literal["oneOf"]
    values: Annotated[tuple[Text1, ...], Constraint(min_length=1)]
    case_insensitive: Omittable[bool] = None
    min_ratio: Omittable[Ratio] = None
    weight: Omittable[Weight] = None


Detector = Annotated[
    BuiltinDetector | RegexDetector | OneOfDetector, Constraint(discriminator="kind")
]


class Resolve(Noun):
    """Which ways of finding the referred entity are tried."""

    exact: bool
    fuzzy: bool
    learned: bool
    min_score: Omittable[Annotated[float, Constraint(ge=0, le=100)]] = None


class Reference(Noun):
    """A field that names another entity."""

    entity: Text1
    match_on: Annotated[tuple[Text1, ...], Constraint(min_length=1)]
    cardinality: Literal["one", "many"] = "one"
    separator: Omittable[Text1] = None
    on_missing: Literal["create", "error", "null", "ignore"] = "error"
    resolve: Omittable[Resolve] = None


class Field(Noun):
    """One target column of an entry."""

    key: Text1
    column_type: ColumnType = "string"
    label: Omittable[str] = None
    required: Omittable[bool] = None
    description: Omittable[str] = None
    example: str | None = None
    column_size: Positive | None = None
    validations: tuple[Validation, ...] | None = None
    alternative_matches: Omittable[tuple[str, ...]] = None
    dropdown_options: tuple[Option, ...] | None = None
    value_detectors: Omittable[tuple[Detector, ...]] = None
    reference: Omittable[Reference] = None
    is_multi_select: Omittable[bool] = None
    output_format: str | None = None
    allow_custom_options: Omittable[bool] = None
    number_format: Omittable[Literal["eu", "us"]] = None
    option_mapping_mode: Omittable[Literal["smart", "exact"]] = None
    hidden: Omittable[bool] = None
    disabled: Omittable[bool] = None
    read_only: Omittable[bool] = None
    scope: Omittable[Literal["row", "document"]] = None
    on_known: Omittable[OnKnown] = None
    empty_cells: Omittable[EmptyCells] = None

    @property
    def is_required(self) -> bool:
        """Whether every row needs a value, by the flag or by the rule of that name."""
        return bool(self.required) or any(v.validate_ == "required" for v in self.validations or ())


class SecondPerson(Noun):
    """What needs the approval of a person who did not prepare it."""

    above: NotNegative
    on: Omittable[Annotated[tuple[Guarded, ...], Constraint(min_length=1)]] = None

    def most_alone(self, doing: Guarded) -> int | None:
        """
        Return how many rows one person may apply or revert; None for any number.

        A publish has no rows: one person may publish only where this is None.

        >>> SecondPerson(above=10, on=("revert",)).most_alone("apply") is None
        True
        """
        return self.above if doing in (self.on or ("apply", "revert")) else None


class FullSync(Noun):
    """How many known entities of an entry a full sync may delete without a confirmation."""

    share: Omittable[Ratio] = None
    rows: Omittable[NotNegative] = None

    def needs_confirmation(self, *, known: int, missing: int) -> bool:
        """
        Return whether a person has to confirm how many of the known entities are deleted.

        A file that names none of them is probably another one, however few there are.

        >>> [FullSync().needs_confirmation(known=known, missing=5) for known in (5, 49, 50)]
        [True, True, False]
        """
        share = LARGEST_SHARE if self.share is None else self.share
        rows = FEWEST_ROWS if self.rows is None else self.rows
        is_large = missing >= rows and missing > share * known
        return missing > 0 and (is_large or missing == known)


class Entry(Noun):
    """One entity of a catalog."""

    id: Text1
    label: Omittable[str] = None
    aliases: Omittable[tuple[str, ...]] = None
    full_sync: Omittable[FullSync] = None
    child_of: Omittable[Text1] = None  # the id of the entry that holds its rows as a list
    group_by: Omittable[Annotated[tuple[Text1, ...], Constraint(min_length=1)]] = None
    allow_custom_fields: Omittable[bool] = None
    fields: tuple[Field, ...] = ()


class Catalog(Noun):
    """A target schema with a stable key; also the shape of a ``--catalog`` file."""

    key: Text1
    title: Omittable[Annotated[str, Constraint(max_length=200)]] = None
    version: Omittable[Positive] = None
    key_separator: Annotated[str, Constraint(max_length=8)] = "."
    region: Omittable[Annotated[str, Constraint(pattern="^[A-Z]{2}$")]] = None  # as in Given
    second_person: Omittable[SecondPerson] = None
    retention_days: Omittable[Annotated[Positive, Constraint(le=MOST_RETENTION_DAYS)]] = None
    entries: tuple[Entry, ...]

    @cached_property
    def fields_by_path(self) -> dict[str, Field]:
        """Every field by its path ``<entity><separator><field>``, in the catalog's order."""
        return {
            f"{entry.id}{self.key_separator}{field.key}": field
            for entry in self.entries
            for field in entry.fields
        }

    @cached_property
    def live_fields(self) -> dict[str, Field]:
        """The fields that take part in matching, validation and delivery."""
        return {path: field for path, field in self.fields_by_path.items() if not field.disabled}

    @cached_property
    def offered_fields(self) -> dict[str, Field]:
        """The live fields that users and the matcher are offered: all but the hidden ones."""
        return {path: field for path, field in self.live_fields.items() if not field.hidden}


def with_options(catalog: Catalog, options: Mapping[str, tuple[Option, ...]]) -> Catalog:
    """Return a catalog whose fields have other options. options: by field path."""
    entries = tuple(
        entry.model_copy(
            update={
                "fields": tuple(
                    field.model_copy(update={"dropdown_options": given})
                    if (given := options.get(f"{entry.id}{catalog.key_separator}{field.key}"))
                    else field
                    for field in entry.fields
                )
            }
        )
        for entry in catalog.entries
    )
    # Not a copy: that would keep what the catalog has cached about its former fields.
    members = {name: getattr(catalog, name) for name in Catalog.model_fields}
    return Catalog.model_construct(**{**members, "entries": entries})


class Given(Noun):
    """Per-import defaults and options, by field path, and what "here" means."""

    defaults: dict[str, str] = Constraint(default_factory=dict)
    options: dict[str, tuple[Option, ...]] = Constraint(default_factory=dict)
    region: str | None = None  # ISO 3166 alpha-2: how to read phone numbers without a country


class Context(Given):
    """The same, and what "today" means."""

    today: date

"""The bundle row by row. Spec: Portable import contract.

The catalog's part is the field model itself (``tabular.model.catalog``). A required member must be
present even if it has a default, because a verifier fills nothing in before hashing.
"""

import re
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator
from pydantic import Field as Constraint
from pydantic_core import PydanticCustomError

from tabular.model.catalog import Catalog, ColumnType, Entry, Field, Reference
from tabular.model.i_json import Counted, Noun, Omittable, Positive
from tabular.model.policy import Policy

CONTRACT_VERSION = 1
SCHEMA_PATH = "/api/import/v1/contracts/schema"
TITLE_LENGTH, FINGERPRINT_LENGTH, SEPARATOR_LENGTH = 200, 4000, 8
MOMENT = re.compile(
    r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})", re.ASCII
)


def moment(text: str) -> datetime:
    """Parse an RFC 3339 timestamp, to the microsecond. Raise ValueError if it is invalid."""
    if not MOMENT.fullmatch(text):
        raise ValueError(f"not RFC 3339 with a time zone: {text!r}")
    return datetime.fromisoformat(text.upper()).astimezone(UTC)


def _moment(text: str) -> str:
    try:
        moment(text)
    except (ValueError, OverflowError) as error:
        raise PydanticCustomError(
            "timestamp", "{member} must be a timestamp with a time zone, as RFC 3339 writes it"
        ) from error
    return text


def _version(value: Any) -> Any:
    if isinstance(value, bool) or value != CONTRACT_VERSION:  # Python treats True as 1
        raise PydanticCustomError("version", "{member} must be 1, the version this engine knows")
    return CONTRACT_VERSION


Timestamp = Annotated[
    str, AfterValidator(_moment), Constraint(json_schema_extra={"format": "date-time"})
]


class ContractReference(Reference):
    """A reference whose defaults are written out."""

    cardinality: Literal["one", "many"]
    on_missing: Literal["create", "error", "null", "ignore"]


class ContractField(Field):
    """A field whose defaults are written out."""

    column_type: ColumnType
    reference: Omittable[ContractReference] = None


class ContractEntry(Entry):
    """An entry whose defaults are written out."""

    fields: tuple[ContractField, ...]


class Issuer(Noun):
    """Whose contract it is, and which key signed it."""

    tenant: str
    key_id: str


class Profile(Noun):
    """How the file is read and mapped."""

    version: Positive
    fingerprint: Omittable[Annotated[str, Constraint(max_length=FINGERPRINT_LENGTH)]] = None
    header_row: Omittable[Counted] = None  # 0-based
    mapping: Omittable[dict[str, str]] = None  # source column to field path
    recipe: Any = None  # any JSON; this engine executes tabular.model.recipe


class Engine(Noun):
    """The pins of the engine that the contract was made with."""

    matcher: str
    transform: str


class Contract(Noun):
    """The signed content."""

    contract_version: Annotated[Literal[1], BeforeValidator(_version)]
    id: Annotated[str, Constraint(pattern="^sha256:[0-9a-f]{64}$")]
    issuer: Issuer
    title: Annotated[str, Constraint(max_length=TITLE_LENGTH)]
    profile: Profile
    catalog: tuple[ContractEntry, ...]
    key_separator: Omittable[Annotated[str, Constraint(max_length=SEPARATOR_LENGTH)]] = None
    engine: Engine
    policy: Policy
    created_at: Timestamp
    expires_at: Omittable[Timestamp] = None

    @property
    def target(self) -> Catalog:
        """The catalog, as the engine maps to it."""
        separator = "." if self.key_separator is None else self.key_separator
        target = Catalog(key="contract", key_separator=separator, entries=self.catalog)
        return target if self.region is None else target.model_copy(update={"region": self.region})

    @property
    def region(self) -> str | None:
        """The country of phone numbers without a country code: ``region`` of the recipe."""
        recipe = self.profile.recipe
        region = recipe.get("region") if isinstance(recipe, dict) else None
        return region if isinstance(region, str) and re.fullmatch("[A-Z]{2}", region) else None

    def is_expired(self, at: datetime) -> bool:
        """Return whether the contract has expired."""
        return self.expires_at is not None and moment(self.expires_at) <= at


class Signature(Noun):
    """A detached JWS (RFC 7515, appendix F) over the canonical contract, its ``id`` included."""

    protected: str
    signature: str


class Bundle(Noun):
    """A contract with its signature."""

    contract: Contract
    signature: Signature
    key_id: str


def contract_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a bundle."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_PATH,
        **_without_null_defaults(Bundle.model_json_schema(by_alias=True)),
    }


def _without_null_defaults(schema: Any) -> Any:
    """Drop the null that represents an absent member in Python: in JSON, most members reject it."""
    if isinstance(schema, dict):
        kept = {name: item for name, item in schema.items() if (name, item) != ("default", None)}
        return {name: _without_null_defaults(item) for name, item in kept.items()}
    if isinstance(schema, list):
        return [_without_null_defaults(item) for item in schema]
    return schema

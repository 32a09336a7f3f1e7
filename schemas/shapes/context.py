"""The wire shapes of what a host sets for one customer: the context, and the overlay."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalogs.overlays import MOST_EXTRA, ExtraField, FieldOverlay, digest_of
from schemas.shapes.strict import BoundedList, BoundedObject, ListIn, StrictIn
from tabular.model.i_json import Noun

MOST_CONTEXT = 256 * 1024  # bytes of JSON: some thousand options

VALUES = {
    "string": {"type": "string"},
    "int": {"type": "integer", "minimum": -(2**53 - 1), "maximum": 2**53 - 1},
    "float": {"type": "number"},
}
OPTIONS = [
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["label", "type", "value"],
        "properties": {
            "label": {"type": "string", "minLength": 1},
            "type": {"type": "string", "enum": [kind]},
            "value": value,
            "alternativeMatches": {"type": "array", "items": {"type": "string"}},
            "description": {"type": "string"},
        },
    }
    for kind, value in VALUES.items()
]
OPTION_LIST = {"type": "array", "items": {"oneOf": OPTIONS}}


def _only(name: str) -> dict[str, Any]:
    """Return the schema of an object with one member, a list of options."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [name],
        "properties": {name: OPTION_LIST},
    }


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": False,
        "description": "What the host says about this one import. At most 256 KiB of JSON.",
        "properties": {
            "defaults": {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "description": "Field path to the text that fills an empty cell.",
                "example": {"order.currency": "EUR"},
            },
            "options": {
                "type": "object",
                "description": "Field path to this import's own options, or to those that are "
                "added to the catalog's (`add`) or used instead of them (`replace`, the same as "
                "a plain list).",
                "additionalProperties": {
                    "oneOf": [
                        OPTION_LIST,
                        _only("add"),
                        _only("replace"),
                    ]
                },
            },
            "currency": {
                "type": "string",
                "pattern": "^[A-Z]{3}$",
                "description": "ISO 4217: the default of every field of the type `currency_code`.",
                "example": "CHF",
            },
            "region": {
                "type": ["string", "null"],
                "pattern": "^[A-Z]{2}$",
                "description": "ISO 3166 alpha-2: country of phone numbers without a country code.",
                "example": "DE",
            },
        },
    }
)
class ContextField(BoundedObject):
    """What the host says about one import; the service says what does not fit."""

    most_bytes = MOST_CONTEXT


REFS = "#/components/schemas/{model}"


def _schema_of(noun: type[Noun]) -> dict[str, Any]:
    """Return the schema of a noun, with references to the parts that catalogs have."""
    schema = noun.model_json_schema(by_alias=True, ref_template=REFS)
    return {name: value for name, value in schema.items() if name not in {"$defs", "title"}}


def catalog_parts() -> dict[str, Any]:
    """Return the schemas that those of an overlay refer to, by name."""
    nouns = (FieldOverlay, ExtraField)
    schemas = [noun.model_json_schema(by_alias=True, ref_template=REFS) for noun in nouns]
    return {name: part for schema in schemas for name, part in schema.get("$defs", {}).items()}


FIELDS = {"type": "object", "additionalProperties": _schema_of(FieldOverlay)}
EXTRA_FIELDS = {"type": "array", "maxItems": MOST_EXTRA, "items": _schema_of(ExtraField)}


@extend_schema_field(FIELDS)
class FieldsField(BoundedObject):
    """What is different about fields, by path; the service says what does not fit."""

    most_bytes = MOST_CONTEXT


@extend_schema_field(EXTRA_FIELDS)
class ExtraFieldsField(BoundedList):
    """Fields that only one customer has; the service says what does not fit."""

    most_bytes = MOST_CONTEXT


class SecondPersonIn(StrictIn):
    """How many rows need the approval of a second person; the stricter rule counts."""

    above = serializers.IntegerField(
        min_value=0,
        max_value=2**53 - 1,
        help_text="The most rows that one person may apply or revert alone. Not more than the "
        "catalog's.",
    )
    on = ListIn(
        child=serializers.ChoiceField(choices=["apply", "revert"]),
        required=False,
        min_length=1,
        max_length=2,
        help_text="What it is about; absent: both.",
    )


class CustomerIn(StrictIn):
    """What a host's server sets for one customer; a page may send a context if it has the right."""

    context = ContextField(required=False)  # type: ignore[assignment]  # the wire's name for it
    fields = FieldsField(  # type: ignore[assignment]  # the wire's name for it
        required=False,
        help_text="Field path to what is different about the field for this customer. Names and "
        "rules are added to the catalog's. What accepts more than the catalog does needs the "
        "entitlement `catalogOverlays`.",
    )
    extraFields = ExtraFieldsField(
        required=False,
        help_text="Fields that only this customer has. Needs the entitlement `catalogOverlays`.",
    )
    emptyCells = serializers.ChoiceField(
        choices=["keep", "clear"],
        required=False,
        help_text="What an empty cell does to what is known, when the import is applied.",
    )
    openQuestions = serializers.ChoiceField(
        choices=["block", "dismiss"],
        required=False,
        help_text="Whether open questions stop an apply, or their defaults apply.",
    )
    profileId = serializers.CharField(
        required=False,
        max_length=40,
        help_text="The remembered mapping to start from, if the file has its columns.",
    )
    secondPerson = SecondPersonIn(
        required=False,
        help_text="Ask for a second person with fewer rows than the catalog does, or where it "
        "asks for none.",
    )


class OverlayOut(serializers.Serializer[Any]):
    """What is special for one customer, as it was checked when the import or session began."""

    digest = serializers.SerializerMethodField(help_text="Equal overlays have the same.")
    fields = serializers.SerializerMethodField(method_name="changed")  # type: ignore[assignment]  # the wire's name for it
    extraFields = serializers.SerializerMethodField(method_name="added")
    emptyCells = serializers.SerializerMethodField(method_name="empty_cells")
    openQuestions = serializers.SerializerMethodField(method_name="open_questions")
    profileId = serializers.SerializerMethodField(method_name="profile")
    secondPerson = serializers.SerializerMethodField(method_name="second_person")

    def get_digest(self, overlay: dict[str, Any]) -> str:
        """Return the SHA-256 of the overlay."""
        return digest_of(overlay)

    @extend_schema_field(FIELDS)
    def changed(self, overlay: dict[str, Any]) -> dict[str, Any]:
        """Return what is different, by field path."""
        return dict(overlay.get("fields") or {})

    @extend_schema_field(EXTRA_FIELDS)
    def added(self, overlay: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the fields that the catalog does not have."""
        return list(overlay.get("extraFields") or ())

    def empty_cells(self, overlay: dict[str, Any]) -> str | None:
        """Return what is fixed for empty cells."""
        return overlay.get("emptyCells")

    def open_questions(self, overlay: dict[str, Any]) -> str | None:
        """Return what is fixed for open questions."""
        return overlay.get("openQuestions")

    def profile(self, overlay: dict[str, Any]) -> str | None:
        """Return the remembered mapping to start from."""
        return overlay.get("profileId")

    @extend_schema_field(SecondPersonIn(allow_null=True))
    def second_person(self, overlay: dict[str, Any]) -> dict[str, Any] | None:
        """Return what a second person approves."""
        return overlay.get("secondPerson")

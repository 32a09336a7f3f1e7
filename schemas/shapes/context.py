"""The wire shape of what a host says about one import."""

from drf_spectacular.utils import extend_schema_field

from schemas.shapes.strict import BoundedObject

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
                "description": "Field path to this import's own options.",
                "additionalProperties": {
                    "type": "array",
                    "items": {"oneOf": OPTIONS},
                },
            },
            "region": {
                "type": ["string", "null"],
                "pattern": "^[A-Z]{2}$",
                "description": "ISO 3166 alpha-2: the country of phone numbers that name none.",
                "example": "DE",
            },
        },
    }
)
class ContextField(BoundedObject):
    """What the host says about one import; the service says what does not fit."""

    most_bytes = MOST_CONTEXT

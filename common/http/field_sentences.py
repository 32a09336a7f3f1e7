"""Errors in one member of a request: the engine's messages instead of the framework's.

A message names its member by the placeholder ``{member}``, which is filled once the pointer is
known. The braces are doubled where the framework fills in limits first.
"""

from rest_framework import serializers

from tabular.model.sentences import coded


def framework_message(template: str, **places: str) -> str:
    """Return a template for the framework, which fills in what it calls by these names."""
    doubled = template.replace("{", "{{").replace("}", "}}")
    return coded(doubled, **{name: f"{{{place}}}" for name, place in places.items()})


TEXTS = {
    "invalid": "{{member}} must be text.",
    "blank": "{{member}} must not be empty.",
    "min_length": framework_message(
        "{member} must have at least {n1} characters.", n1="min_length"
    ),
    "max_length": framework_message("{member} can have at most {n1} characters.", n1="max_length"),
}
LIMITS = {
    "min_value": framework_message("{member} must be at least {n1}.", n1="min_value"),
    "max_value": framework_message("{member} must be at most {n1}.", n1="max_value"),
}
WHOLE_NUMBER, NUMBER = "{{member}} must be a whole number.", "{{member}} must be a number."
WHOLE_NUMBERS = {"invalid": WHOLE_NUMBER, "max_string_length": WHOLE_NUMBER, **LIMITS}
LISTS = {
    "not_a_list": "{{member}} must be a list.",
    "empty": "{{member}} must not be an empty list.",
    "min_length": framework_message("{member} needs at least {n1} items.", n1="min_length"),
    "max_length": framework_message("{member} can have at most {n1} items.", n1="max_length"),
}
CHOICE = framework_message("“{input}” is not a value of {member}.", input="input")
SENTENCES: dict[type[serializers.Field], dict[str, str]] = {  # type: ignore[type-arg]  # any of them
    serializers.Field: {
        "required": "{{member}} is required.",
        "null": "{{member}} must not be null.",
    },
    serializers.BooleanField: {"invalid": "{{member}} must be true or false."},
    serializers.CharField: TEXTS,
    serializers.ModelField: {"max_length": TEXTS["max_length"]},
    serializers.URLField: {"invalid": "{member} must be an absolute URL."},
    serializers.IntegerField: WHOLE_NUMBERS,
    serializers.BigIntegerField: WHOLE_NUMBERS,
    serializers.FloatField: {
        "invalid": NUMBER,
        "max_string_length": NUMBER,
        "overflow": NUMBER,
        **LIMITS,
    },
    serializers.DecimalField: {
        "invalid": NUMBER,
        "max_string_length": NUMBER,
        "max_digits": framework_message("{member} can have at most {n1} digits.", n1="max_digits"),
        "max_decimal_places": framework_message(
            "{member} can have at most {n1} decimals.", n1="max_decimal_places"
        ),
        "max_whole_digits": framework_message(
            "{member} can have at most {n1} whole digits.", n1="max_whole_digits"
        ),
        **LIMITS,
    },
    serializers.DateTimeField: dict.fromkeys(
        ("invalid", "date", "make_aware", "overflow"),
        "{{member}} must be a timestamp such as 2026-01-31T12:00:00Z.",
    ),
    serializers.ChoiceField: {"invalid_choice": CHOICE},
    serializers.MultipleChoiceField: {
        "invalid_choice": CHOICE,
        "not_a_list": LISTS["not_a_list"],
        "empty": LISTS["empty"],
    },
    serializers.FilePathField: {"invalid_choice": CHOICE},
    serializers.FileField: {
        "required": "{{member}} is required.",
        "invalid": "{{member}} must be a file.",
        "no_name": "{{member}} must have a file name.",
        "empty": "{{member}} must not be an empty file.",
        "max_length": framework_message(
            "{member} can have a file name of at most {n1} characters.", n1="max_length"
        ),
    },
    serializers.ImageField: {"invalid_image": "{{member}} must be a picture."},
    serializers.ListField: LISTS,
    serializers.ListSerializer: LISTS,
    serializers.DictField: {
        "not_a_dict": "{{member}} must be an object.",
        "empty": "{{member}} must not be an empty object.",
    },
    serializers.JSONField: {"invalid": "{{member}} must be JSON."},
    serializers.Serializer: {"invalid": "{{member}} must be an object."},
}


def install() -> None:
    """Replace the framework's messages, before any serializer is declared."""
    for kind, sentences in SENTENCES.items():
        kind.default_error_messages = {**kind.default_error_messages, **sentences}

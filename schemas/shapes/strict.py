"""Request bodies that refuse what they do not know."""

import json
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, ClassVar

from django.http import QueryDict
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from common.characters import (
    SENTENCE,
    is_storable_json,
    refuse_too_many,
    unstorable_in,
)
from common.errors import MOST_LISTED, ServiceError
from tabular.model.sentences import coded, sized

UNKNOWN = "{member} is not a known member."


class StrictIn(serializers.Serializer[Any]):
    """A request body whose unknown members are refused, not dropped."""

    schema: ClassVar[dict[str, Any]] = {}  # what OpenAPI says besides the members
    ways: ClassVar[tuple[str, ...]] = ()  # members of which exactly one is sent

    def to_internal_value(self, data: Any) -> Any:
        """Refuse members that are not part of the shape."""
        if isinstance(data, dict):
            unknown = sorted(set(data) - set(self.fields))
            if unknown:
                raise serializers.ValidationError(
                    {name: [UNKNOWN] for name in unknown[:MOST_LISTED]}
                )
            if not isinstance(data, QueryDict):
                self._refuse_texts(data)
        return super().to_internal_value(data)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        """Refuse none of several ways, and more than one."""
        if self.ways and len(set(self.ways) & given.keys()) != 1:
            raise serializers.ValidationError(
                coded("Send exactly one of {named}.", named=", ".join(self.ways))
            )
        return given

    def _refuse_texts(self, data: dict[str, Any]) -> None:
        """JSON has booleans and numbers of its own; only a form must write them as text."""
        wrong = _first(data.items(), lambda name: self.fields[name])
        if wrong:
            raise serializers.ValidationError(wrong)


def _another_kind(field: serializers.Field[Any, Any, Any, Any], value: Any) -> Any:
    """Return what a value must be, by place, where DRF accepts others; empty if it is right."""
    match field:
        case serializers.ListField() if isinstance(value, list):
            most = len(value) if field.max_length is None else field.max_length
            return _first(enumerate(value[:most]), lambda _: field.child)
        case serializers.DictField() if isinstance(value, dict):
            return _first(value.items(), lambda _: field.child)
        case serializers.BooleanField() if not isinstance(value, bool | None):
            return ["{member} must be true or false."]
        case serializers.IntegerField() if isinstance(value, str):
            return ["{member} must be a number."]
        case serializers.CharField() if not isinstance(value, str | None):
            return ["{member} must be text."]
    return []


def _first(values: Iterable[tuple[Any, Any]], field_of: Callable[[Any], Any]) -> dict[Any, Any]:
    """Return what is wrong with the first values of another kind, by their places."""
    judged = ((place, _another_kind(field_of(place), value)) for place, value in values)
    return dict(islice(((place, wrong) for place, wrong in judged if wrong), MOST_LISTED))


class ListIn(serializers.ListField):
    """A list that is refused for its length before it is read, and at 100 wrong items."""

    def run_child_validation(self, data: Any) -> Any:
        """Read the items."""
        if self.max_length is not None and len(data) > self.max_length:
            sentence = self.error_messages["max_length"].format(max_length=self.max_length)
            raise serializers.ValidationError(sentence, code="max_length")
        return list(_read(enumerate(data), self.child).values())


class DictIn(serializers.DictField):
    """An object with names of the caller's choice, that is refused at 100 wrong members."""

    def run_child_validation(self, data: Any) -> Any:
        """Read the members."""
        return _read(((str(name), value) for name, value in data.items()), self.child)


def _read(values: Iterable[tuple[Any, Any]], child: Any) -> dict[Any, Any]:
    members, wrong = {}, {}
    for place, value in values:
        try:
            members[place] = child.run_validation(value)
        except serializers.ValidationError as error:
            wrong[place] = error.detail
            if len(wrong) == MOST_LISTED:
                break
    if wrong:
        raise serializers.ValidationError(wrong)
    return members


class TrueOrFalse(serializers.BooleanField):
    """A query parameter that is `true` or `false`, and nothing like it."""

    TRUE_VALUES = {"true"}  # noqa: RUF012 - DRF declares it so
    FALSE_VALUES = {"false"}  # noqa: RUF012 - DRF declares it so


MOST_META = 16 * 1024  # bytes of JSON that a host says of an import


class _JsonOf(serializers.JSONField):
    """A JSON value of one kind; multipart forms may send it as text."""

    kind: type = dict
    wrong = "{member} must be an object."
    most_bytes: int | None = None

    def to_internal_value(self, data: Any) -> Any:
        """Parse text, and refuse a value of another kind, or more than is kept."""
        value: Any = self._parsed(data) if isinstance(data, str) else data
        if not isinstance(value, self.kind) and not (value is None and self.allow_null):
            raise serializers.ValidationError(self.wrong)
        try:
            text = json.dumps(value, ensure_ascii=False)
        except (TypeError, ValueError):
            self.fail("invalid")
        if not is_storable_json(text) and next(unstorable_in(value), None) is not None:
            raise serializers.ValidationError(SENTENCE)
        if self.most_bytes is not None and len(text.encode()) > self.most_bytes:
            raise serializers.ValidationError(
                coded("{member} may have at most {SIZE} as JSON.", SIZE=sized(self.most_bytes))
            )
        return value

    def _parsed(self, text: Any) -> Any:
        self.binary = True
        try:
            refuse_too_many(text.encode("utf-8", "surrogatepass"))
        except ServiceError as error:
            raise serializers.ValidationError(error.sentence) from error
        return super().to_internal_value(text)


class _Bounded(_JsonOf):
    """A JSON value that is kept, so that it has a largest size."""

    most_bytes = MOST_META


@extend_schema_field({"type": "object"})
class JsonObject(_JsonOf):
    """A JSON object."""


@extend_schema_field({"type": "object"})
class BoundedObject(_Bounded):
    """A JSON object of a largest size."""


@extend_schema_field({"type": "array"})
class BoundedList(_Bounded):
    """A JSON array of a largest size."""

    kind = list
    wrong = "{member} must be a list."


@extend_schema_field({"type": "object"})
class Meta(BoundedObject):
    """What a caller says about an import; it is stored, and delivered with it."""

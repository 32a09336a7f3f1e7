"""Requests, results and what is kept of them as JSON: written and read here, by their types.

What arrives is read strictly: a member too many, one missing that has no default, or a value of
another kind is WrongForm. What an earlier version kept may hold members that are gone.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, cast

import orjson
from pydantic import (
    ConfigDict,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    ValidationError,
    WrapSerializer,
)
from pydantic.alias_generators import to_camel

CAMEL = ConfigDict(alias_generator=to_camel)  # of types whose JSON is in camelCase
PLAIN = ConfigDict(alias_generator=None)  # of one in snake_case that stands in camelCase
MOST_FAULTS = 5  # that a WrongForm tells
T = TypeVar("T")


class WrongForm(ValueError):
    """A document does not have the form of its type; says where, and never what stands there."""


def written(value: object) -> bytes:
    """Write a value of one of the types as JSON."""
    kind: Any = type(value)
    return _form(kind).dump_json(value, by_alias=True, warnings="error")


def as_json(value: object) -> dict[str, Any]:
    """Give a value of one of the types as JSON to be kept, or to be shown."""
    kind: Any = type(value)
    form = _form(kind)
    document: dict[str, Any] = form.dump_python(value, mode="json", by_alias=True, warnings="error")
    return document


def without(*names: str) -> WrapSerializer:
    """Leave members out that say nothing."""

    def write(value: Any, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        document: dict[str, Any] = written(value)
        return {name: one for name, one in document.items() if one or name not in names}

    return WrapSerializer(write)


def read(kind: type[T], document: bytes) -> T:
    """Read what another process wrote; WrongForm."""
    return cast(T, _read(kind, document, "forbid"))


def read_kept(kind: type[T], document: Mapping[str, Any]) -> T:
    """Read what this or an earlier version kept; WrongForm."""
    return cast(T, _read(kind, orjson.dumps(document), "ignore"))


def _read(kind: Any, document: bytes, beyond: Any) -> Any:
    try:
        return _form(kind).validate_json(document, strict=True, extra=beyond)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        told = [
            f"{'.'.join(map(str, fault['loc'])) or 'all of it'}: {fault['type']}"
            for fault in faults[:MOST_FAULTS]
        ]
        raise WrongForm(f"{', '.join(told)} ({len(faults)} in all)") from None


def prepare(*kinds: Any) -> None:
    """Make ready to write and read types, so that processes forked from this one need not."""
    for kind in kinds:
        _form(kind)


@cache
def _form(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)

"""Write and read requests, results and stored parts of them as JSON, by their types.

Input is read strictly: an extra member, a missing one without a default, or a value of another kind
raises WrongForm. What an earlier version stored may have members that no longer exist.
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

from tabular.model.sentences import packed, unpacked

CAMEL = ConfigDict(alias_generator=to_camel)  # for types with camelCase JSON
PLAIN = ConfigDict(alias_generator=None)  # for a snake_case type inside camelCase
MOST_FAULTS = 5  # that a WrongForm reports
T = TypeVar("T")


class WrongForm(ValueError):
    """A document does not match its type; the message says where, and never quotes a value."""


def written(value: object) -> bytes:
    """Return a value of one of the types as JSON bytes."""
    kind: Any = type(value)
    return _form(kind).dump_json(value, by_alias=True, warnings="error")


def as_json(value: object) -> dict[str, Any]:
    """Return a value of one of the types as JSON, to be stored or shown."""
    kind: Any = type(value)
    form = _form(kind)
    document: dict[str, Any] = unpacked(
        form.dump_python(value, mode="json", by_alias=True, warnings="error")
    )
    return document


def without(*names: str) -> WrapSerializer:
    """Return a serializer that omits the named members if they are empty."""

    def write(value: Any, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        document: dict[str, Any] = written(value)
        return {name: item for name, item in document.items() if item or name not in names}

    return WrapSerializer(write)


def read(kind: type[T], document: bytes) -> T:
    """Read what another process wrote. Raise WrongForm."""
    return cast(T, _read(kind, document, "forbid"))


def read_kept(kind: type[T], document: Mapping[str, Any]) -> T:
    """Read what this or an earlier version stored. Raise WrongForm."""
    return cast(T, _read(kind, orjson.dumps(packed(document)), "ignore"))


def _read(kind: Any, document: bytes, beyond: Any) -> Any:
    try:
        return _form(kind).validate_json(document, strict=True, extra=beyond)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        lines = [
            f"{'.'.join(map(str, fault['loc'])) or 'all of it'}: {fault['type']}"
            for fault in faults[:MOST_FAULTS]
        ]
        raise WrongForm(f"{', '.join(lines)} ({len(faults)} in all)") from None


def prepare(*kinds: Any) -> None:
    """Prepare to write and read types, so that processes forked from this one need not."""
    for kind in kinds:
        _form(kind)


@cache
def _form(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)

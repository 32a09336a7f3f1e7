"""A frozen dataclass in one column, as JSON that names the version of its schema."""

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from django.db import models

from common.json_text import JsonTextField, read_worded
from tabular.model.sentences import packed


class Stored(Protocol):
    """A frozen dataclass whose members are JSON values; a member that is absent has its default."""

    VERSION: ClassVar[int]
    __dataclass_fields__: ClassVar[dict[str, Any]]


T = TypeVar("T")
if TYPE_CHECKING:
    _Field = models.Field[Any, Any]
    Column = models.Field[T, T]  # the type of such a column in a model
else:
    _Field = JsonTextField
    Column = models.Field


class TypedJsonField(_Field):
    """
    A value of one dataclass; null where there is none, if the column allows it.

    ``VERSION`` rises when a member changes its meaning. Reading raises ValueError for a later
    version than this code knows, which a newer engine has written.
    """

    def __init__(self, kind: type[Stored] | None = None, **options: Any) -> None:
        """kind: the dataclass. A migration knows the column alone, and names none."""
        self._kind = kind
        super().__init__(**options)

    def deconstruct(self) -> Any:
        """Return a plain column: a migration must not import the classes of today."""
        name, _, args, options = super().deconstruct()
        options.pop("default", None)
        return name, "common.json_text.JsonTextField", args, options

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        """Make the dataclass on reading."""
        if value is None or self._kind is None:
            return None
        members = read_worded(value)
        if members.pop("version") > self._kind.VERSION:
            raise ValueError(f"a later engine wrote this {self._kind.__name__}")
        return self._kind(**members)

    def get_prep_value(self, value: Any) -> str | None:
        """Write compact JSON, without the members that are null."""
        if value is None:
            return None
        members = {item.name: getattr(value, item.name) for item in fields(value)}
        filled = {name: member for name, member in members.items() if member is not None}
        return json.dumps(packed({"version": value.VERSION, **filled}), ensure_ascii=False)

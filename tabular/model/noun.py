"""What every noun that is also a JSON document has in common."""

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetCoreSchemaHandler
from pydantic.alias_generators import to_camel
from pydantic_core import CoreSchema

MAX_SAFE_INTEGER = 9_007_199_254_740_991  # RFC 7493 (I-JSON): what every reader keeps exactly

Text1 = Annotated[str, Field(min_length=1)]


def _whole(value: Any) -> Any:
    """JSON has one kind of number: 9.0 is the integer 9."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Positive = Annotated[int, Field(gt=0, le=MAX_SAFE_INTEGER), BeforeValidator(_whole)]
Counted = Annotated[int, Field(ge=0, le=MAX_SAFE_INTEGER), BeforeValidator(_whole)]
SafeInt = Annotated[int, Field(ge=-MAX_SAFE_INTEGER, le=MAX_SAFE_INTEGER), BeforeValidator(_whole)]
Scalar = str | bool | int | float
T = TypeVar("T")


class _NotNull:
    """Refuses null for a member that may be absent: None then says that it is."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema = handler(source)
        return schema["schema"] if schema["type"] == "nullable" else schema


Omittable = Annotated[T | None, _NotNull()]  # may be absent, is never null


class Noun(BaseModel):
    """A frozen value, camelCase in JSON, with no members beyond the stated ones."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        allow_inf_nan=False,
    )

"""What every noun that is also a JSON document has in common."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

MAX_SAFE_INTEGER = 9_007_199_254_740_991  # RFC 7493 (I-JSON): what every reader keeps exactly

Text1 = Annotated[str, Field(min_length=1)]
Positive = Annotated[int, Field(gt=0, le=MAX_SAFE_INTEGER)]
Scalar = str | bool | int | float


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

"""JSON bodies, as every view reads them."""

import io
from collections.abc import Mapping
from itertools import islice
from typing import IO, Any

from django.conf import settings
from rest_framework.parsers import JSONParser

from common.characters import SENTENCE, unstorable_in
from common.errors import InvalidRequest, TooLarge

NAMED = 100  # places that a problem lists
DEEPEST = 100  # arrays and objects in each other; Python's own JSON ends below a thousand
LARGER = (
    "A JSON body has at most {most:,} bytes. Send larger data as a file: a multipart form with "
    "`file`, or PUT imports/{{recordId}}/file."
)


class JsonBody(JSONParser):
    """DRF's parser for small bodies, which also refuses what no database keeps."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """
        Read the body.

        TooLarge beyond the limit; InvalidRequest for too deep a nesting, and for each text with
        a NUL or half a surrogate pair, by name.
        """
        text = stream.read(settings.MAX_JSON_BYTES + 1)
        if len(text) > settings.MAX_JSON_BYTES:
            raise TooLarge(LARGER.format(most=settings.MAX_JSON_BYTES))
        try:
            value = super().parse(io.BytesIO(text), media_type, parser_context)
        except RecursionError as error:
            raise _too_deep() from error
        return storable(value)


def storable(value: Any) -> Any:
    """Give JSON back that can be kept; InvalidRequest for any other."""
    if is_deeper(value, DEEPEST):
        raise _too_deep()
    wrong = list(islice(unstorable_in(value), NAMED))
    if wrong:
        raise InvalidRequest(errors=[{"pointer": at, "detail": SENTENCE} for at in wrong])
    return value


def is_deeper(value: Any, levels: int) -> bool:
    """
    Whether arrays and objects stand in each other more than ``levels`` times.

    >>> is_deeper([[1]], 2), is_deeper([[1]], 1)
    (False, True)
    """
    layer = [value]
    for _ in range(levels + 1):
        containers = [one for one in layer if isinstance(one, dict | list)]
        if not containers:
            return False
        layer = [
            member
            for one in containers
            for member in (one.values() if isinstance(one, dict) else one)
        ]
    return True


def _too_deep() -> InvalidRequest:
    return InvalidRequest(f"JSON may be nested {DEEPEST} deep, not more.")

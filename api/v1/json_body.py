"""JSON bodies, as every view reads them."""

from collections.abc import Mapping
from itertools import islice
from typing import IO, Any

from rest_framework.parsers import JSONParser

from common.characters import SENTENCE, unstorable_in
from common.errors import InvalidRequest

NAMED = 100  # places that a problem lists


class JsonBody(JSONParser):
    """DRF's parser, which also refuses text that no database keeps, wherever it stands."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Read the body; InvalidRequest names each text with a NUL or half a surrogate pair."""
        return storable(super().parse(stream, media_type, parser_context))


def storable(value: Any) -> Any:
    """Give JSON back that can be kept; InvalidRequest for any other."""
    wrong = list(islice(unstorable_in(value), NAMED))
    if wrong:
        raise InvalidRequest(errors=[{"pointer": at, "detail": SENTENCE} for at in wrong])
    return value

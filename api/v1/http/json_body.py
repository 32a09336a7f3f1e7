"""JSON request bodies."""

import io
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.parsers import JSONParser

from common.characters import refuse_too_many, storable, too_deep
from common.errors import TooLarge


class JsonBody(JSONParser):
    """DRF's parser for small bodies; also refuses text that databases cannot store."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """
        Return the parsed body.

        Raise TooLarge if the body exceeds the limit. Raise InvalidRequest if it is nested too
        deeply, and name each text that contains a NUL or an unpaired surrogate.
        """
        text = stream.read(settings.MAX_JSON_BYTES + 1)
        if len(text) > settings.MAX_JSON_BYTES:
            raise TooLarge("too_large.json", most=settings.MAX_JSON_BYTES)
        refuse_too_many(text)
        # RFC 8259: JSON is UTF-8, whatever the request's headers name.
        context = {**(parser_context or {}), "encoding": "utf-8"}
        try:
            value = super().parse(io.BytesIO(text), media_type, context)
        except RecursionError as error:
            raise too_deep() from error
        return storable(value) if b"\\u" in text else value  # unescaped UTF-8 cannot contain these

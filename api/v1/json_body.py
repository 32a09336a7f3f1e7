"""JSON bodies, as every view reads them."""

import io
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.parsers import JSONParser

from common.characters import refuse_too_many, storable, too_deep
from common.errors import TooLarge

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
        refuse_too_many(text)
        # RFC 8259: JSON is UTF-8, whatever the head of the request names.
        context = {**(parser_context or {}), "encoding": "utf-8"}
        try:
            value = super().parse(io.BytesIO(text), media_type, context)
        except RecursionError as error:
            raise too_deep() from error
        return storable(value) if b"\\u" in text else value  # raw, UTF-8 holds none of these

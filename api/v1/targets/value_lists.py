"""``value-lists``: two columns of texts that lookups of recipes name. docs/recipes.md."""

from collections.abc import Iterator
from typing import IO, Any

import orjson
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.v1.http.files import CSV, FILES, streamed_answer
from api.v1.http.problem import problems
from common import clock
from common.errors import InvalidRequest, TooLarge
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from references.value_lists import columns as forms
from references.value_lists import selectors, services
from references.value_lists.model import ValueList
from schemas.parameters import parameters_of
from schemas.shapes.targets.value_lists import ListFormatIn, ValueListIn, ValueListOut, ValueRowsOut
from tabular.model.recipe import LIST_KEY
from tabular.protocol.plan import ValueList as Columns

KEY = OpenApiParameter("key", {"type": "string", "pattern": LIST_KEY}, OpenApiParameter.PATH)
SLICE = 5_000  # rows of a piece of an answer


class ListText(BaseParser):
    """Passes a list on as sent, up to its limit."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None
    ) -> dict[str, bytes]:
        """Return the bytes. Raise TooLarge if they exceed the limit."""
        text = stream.read(forms.MOST_BYTES + 1)
        if len(text) > forms.MOST_BYTES:
            raise TooLarge("too_large.value_list", most=forms.MOST_BYTES)
        return {"text": text}


class ListCsv(ListText):
    """The same for lines of a key and a value."""

    media_type = CSV


@declares(GET="value_lists_read", PUT="value_lists_put", DELETE="value_lists_delete")
class ValueLists(APIView):
    """``value-lists/{key}``."""

    parser_classes = (ListText, ListCsv)
    renderer_classes = FILES

    @extend_schema(
        operation_id="value_lists_read",
        parameters=[KEY, ListFormatIn],
        responses={
            (200, "application/json"): ValueRowsOut,
            (200, CSV): OpenApiTypes.STR,
            304: None,
            **problems(404),
        },
    )
    def get(self, request: Request, key: str) -> HttpResponseBase:
        """Return the rows of a value list, as JSON or CSV; its ``ETag`` is the digest."""
        form = parameters_of(request, ListFormatIn)["format"]
        kept = selectors.list_of(caller_of(request).tenant, key)
        etag = f'"{kept.version.digest}"'
        unchanged = get_conditional_response(request._request, etag=etag, response=None)
        if isinstance(unchanged, HttpResponse) and unchanged.status_code == 304:
            return unchanged
        chunks = _as_csv(kept.version.columns) if form == "csv" else _as_json(kept)
        media_type = f"{CSV}; charset=utf-8" if form == "csv" else "application/json"
        answer = streamed_answer(chunks, name=f"{key}.{form}", media_type=media_type)
        answer["ETag"] = etag
        return answer

    @extend_schema(
        operation_id="value_lists_put",
        parameters=[KEY],
        request={"application/json": ValueListIn},  # generators of clients cannot send CSV
        responses={200: ValueListOut, 201: ValueListOut, **problems(400, 413, 415)},
    )
    def put(self, request: Request, key: str) -> Response:
        """Replace a value list, or make one; imports keep the version they were made with."""
        services.check_key(key)
        text = request.data.get("text") if isinstance(request.data, dict) else None
        if not isinstance(text, bytes):
            raise InvalidRequest("invalid_value_list")
        is_csv = (request.content_type or "").startswith(CSV)
        caller = caller_of(request)
        kept, is_new = services.replace_list(
            tenant=caller.tenant,
            key=key,
            columns=forms.read_csv(text) if is_csv else forms.read_json(text),
            actor=caller.actor,
            at=clock.now(),
        )
        return Response(ValueListOut(kept).data, status=201 if is_new else 200)

    @extend_schema(
        operation_id="value_lists_delete",
        parameters=[KEY],
        responses={204: None, **problems(404)},
    )
    def delete(self, request: Request, key: str) -> Response:
        """Delete a value list; imports keep the version they were made with."""
        caller = caller_of(request)
        services.delete(tenant=caller.tenant, key=key, actor=caller.actor, at=clock.now())
        return Response(status=204)


def _as_json(kept: ValueList) -> Iterator[bytes]:
    """Yield the list as one JSON object, some rows at a time."""
    head = orjson.dumps(ValueListOut(kept).data)
    yield head[:-1] + b',"rows":['
    columns = kept.version.columns
    for start in range(0, len(columns.keys), SLICE):
        rows = list(zip(*_slice(columns, start), strict=True))
        yield (b"," if start else b"") + orjson.dumps(rows)[1:-1]
    yield b"]}"


def _as_csv(columns: Columns) -> Iterator[bytes]:
    """Yield the lines of a list, some at a time."""
    import csv
    from io import StringIO

    for start in range(0, len(columns.keys), SLICE):
        text = StringIO(newline="")
        csv.writer(text).writerows(zip(*_slice(columns, start), strict=True))
        yield text.getvalue().encode()


def _slice(columns: Columns, start: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return columns.keys[start : start + SLICE], columns.values[start : start + SLICE]

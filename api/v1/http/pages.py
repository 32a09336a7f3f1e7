"""Lists are returned as ``{items, next}``: ``next`` is a cursor, or null on the last page."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.db.models import QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.whole import page_of
from common import errors
from common.response_size import fitting
from common.wording.messages import Message
from schemas.parameters import PAGE, QueryIn, parameters_of, wrong_parameter
from tabular.model.sentences import Sentence

LIMIT_SCHEMA = {"type": "integer", "minimum": 1, "maximum": 500}
PARAMETERS: list[dict[str, Any]] = [
    {
        "name": "cursor",
        "in": "query",
        "schema": {"type": "string"},
        "description": "`next` of the page before.",
    },
    {
        "name": "limit",
        "in": "query",
        "schema": LIMIT_SCHEMA,
        "description": "At most how many items; 50 when absent. Several end before 1 MB.",
    },
]


def page_schema(items: dict[str, Any]) -> dict[str, Any]:
    """Return the OpenAPI schema of a page of ``items``, an array."""
    return {
        "type": "object",
        "required": ["items", "next"],
        "properties": {
            "items": items,
            "next": {"type": ["string", "null"], "description": "Cursor of the next page."},
        },
    }


class UnknownPage(errors.NotFound):
    """The cursor is not valid. Send `next` of the previous page unchanged."""

    key = "invalid_request.cursor"

    def __init__(self) -> None:
        super().__init__(errors=[{"parameter": "cursor", "detail": Message(self.key)}])


NO_PAGE = Cursor(offset=0, reverse=False, position=None)


class Page(CursorPagination):
    """Newest first by public id, which sorts by time."""

    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 500
    ordering = "-public_id"
    position = r".+"  # the content of a cursor: a value that the rows are ordered by

    def __init__(self, filters: type[QueryIn] = QueryIn) -> None:
        self.filters = filters

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        """Return the requested page. Raise InvalidRequest with the parameters that are invalid."""
        params = parameters_of(request, self.filters, beside=PAGE)
        rows: QuerySet[Any] = self.filters.narrow(queryset, params)
        return super().paginate_queryset(rows, request, view) or []

    def get_page_size(self, request: Request) -> int:
        """Return ``limit``. Raise InvalidRequest if it is not a valid number of items."""
        text = request.query_params.get("limit", str(self.page_size))
        if text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= self.max_page_size:
            return int(text)
        raise wrong_parameter(
            "limit", Sentence("Send a number from 1 to 500, not {text}.", text=repr(text[:40]))
        )

    def decode_cursor(self, request: Request) -> Any:
        """Return the decoded ``cursor``. Raise UnknownPage if no page issued it."""
        try:
            cursor = super().decode_cursor(request)
        except NotFound:
            cursor = NO_PAGE
        if cursor and not re.fullmatch(self.position, str(cursor.position or ""), re.DOTALL):
            raise UnknownPage
        return cursor

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Return the OpenAPI parameters ``cursor`` and ``limit``."""
        return PARAMETERS

    def get_paginated_response(self, data: Any) -> Response:
        """Return the page; it ends early, with a cursor, before its items grow too large."""
        page, items = self.page or [], fitting(data)
        if len(items) < len(page):
            self.has_next = True
            self.next_position = self._get_position_from_instance(page[len(items)], self.ordering)
            self.page = page[: len(items)]
        link = self.get_next_link()
        cursor = parse_qs(urlsplit(link).query)[self.cursor_query_param][0] if link else None
        return page_of(items, {"items": items, "next": cursor})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the OpenAPI schema of the page."""
        return page_schema(schema)

"""What is refused before any view runs."""

from collections.abc import Callable
from urllib.parse import unquote_plus

from django.http import HttpRequest, HttpResponseBase

from common.characters import SENTENCE, is_storable
from common.errors import InvalidRequest
from common.problems import answer


def refuse_unstorable(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Refuse an address with a NUL: PostgreSQL takes it in no comparison, SQLite finds nothing."""

    def guarded(request: HttpRequest) -> HttpResponseBase:
        query = unquote_plus(request.META.get("QUERY_STRING", ""), errors="replace")
        if is_storable(request.path_info) and is_storable(query):
            return get_response(request)
        return answer(InvalidRequest(SENTENCE).as_problem())

    return guarded

"""Middleware that refuses requests before any view runs."""

from collections.abc import Callable
from urllib.parse import unquote_plus

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from common.characters import is_storable
from common.errors import AnswerTooLarge, InvalidRequest
from common.http.problems import answer, problem_answer
from common.response_size import MOST_BYTES

PAGES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
API = "/api/import/v1/"
DOCUMENTS = ("catalogs/", "contracts", "openapi.json")  # below the API; as large as they were sent
DATA = "default-src 'none'; frame-ancestors 'none'"
HEADERS = {
    # "no-referrer" would make a browser send "Origin: null" with each form, which Django refuses.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def with_policy(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Add one policy to every response: what it may load, who may frame it and who caches it."""

    def guarded(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        response.headers.setdefault("Content-Security-Policy", PAGES if is_page else DATA)
        for name, text in HEADERS.items():
            response.headers.setdefault(name, text)
        if _is_for_one(request):
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    return guarded


def _is_for_one(request: HttpRequest) -> bool:
    """Return whether a response is for an identified caller, and so must not be cached."""
    names = "Authorization" in request.headers or "X-Import-Tenant" in request.headers
    return names or request.path_info.startswith("/admin/")


def refuse_unread(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer requests that were refused unread here, where responses get headers for pages."""

    def guarded(request: HttpRequest) -> HttpResponseBase:
        refusal = request.META.get("asgi.scope", {}).get("importengine.refusal")
        return get_response(request) if refusal is None else problem_answer(refusal)

    return guarded


def refuse_unstorable(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Refuse a URL with a NUL: PostgreSQL rejects it in comparisons, SQLite finds nothing."""

    def guarded(request: HttpRequest) -> HttpResponseBase:
        query = unquote_plus(request.META.get("QUERY_STRING", ""), errors="replace")
        if is_storable(request.path_info) and is_storable(query):
            return get_response(request)
        return answer(InvalidRequest("invalid_request.unstorable"))

    return guarded


def refuse_large_answers(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """
    Send no JSON above 1 MB, except a catalog, a contract, and responses that a view marks as whole.

    Lists end early by themselves. This catches what else a file or a caller made large.
    """

    def guarded(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        is_json = response.headers.get("Content-Type", "").startswith("application/json")
        is_bounded = getattr(response, "is_bounded", True) and _is_bounded(request.path_info)
        if not is_json or not is_bounded or not isinstance(response, HttpResponse):
            return response
        return problem_answer(AnswerTooLarge()) if len(response.content) > MOST_BYTES else response

    return guarded


def _is_bounded(path: str) -> bool:
    return path.startswith(API) and not path.removeprefix(API).startswith(DOCUMENTS)

"""The user's language: requested by ``Accept-Language``, kept for the length of a request.

Only what is shown is translated. What is stored, delivered or logged stays in English.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header

from common.errors import ServiceError
from common.http.addresses import below
from tabular.model.sentences import LANGUAGES, translated

ENGLISH = LANGUAGES[0]
API = "/api/"
FORMER = {"iw": "he"}  # what a browser may still call a language
SENTENCES_OF_A_PROBLEM = ("title", "detail")
_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def current_language() -> str:
    """Return the language of this request, or English outside of any request."""
    return _language.get()


@contextmanager
def using_language(language: str) -> Iterator[None]:
    """Use a language for the duration of a block."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


def localized(text: str) -> str:
    """Return one of the engine's messages in the language of this request."""
    return translated(text, current_language())


def wanted(header: str) -> str:
    """
    Return the language for an ``Accept-Language``; English if none of those requested is supported.

    >>> wanted("de-AT, en;q=0.5"), wanted("tlh"), wanted("fr;q=0.2, es"), wanted("")
    ('de', 'en', 'es', 'en')
    """
    for name, _ in parse_accept_lang_header(header.lower()):
        base = name.partition("-")[0]
        language = FORMER.get(base, base)
        if language in LANGUAGES:
            return language
    return ENGLISH


def localized_problem(problem: dict[str, Any]) -> dict[str, Any]:
    """Return a problem with its messages in the language of this request; codes never change."""
    if current_language() == ENGLISH:
        return problem
    shown = dict(problem)
    for name in SENTENCES_OF_A_PROBLEM:
        if isinstance(shown.get(name), str):
            shown[name] = localized(shown[name])
    if isinstance(shown.get("errors"), list):
        shown["errors"] = [
            {**error, "detail": localized(error["detail"])}
            if isinstance(error.get("detail"), str)
            else error
            for error in shown["errors"]
        ]
    return shown


def problem_of(error: ServiceError) -> dict[str, Any]:
    """Return an error's problem in the language of this request."""
    problem = error.as_problem(current_language())
    return localized_problem(problem | {"type": below(problem["type"])})


def use_requested_language(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer API calls in the requested language."""

    def answered(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(API):
            return get_response(request)
        language = wanted(request.headers.get("Accept-Language", ""))
        with using_language(language), translation.override(language):
            response = get_response(request)
        patch_vary_headers(response, ["Accept-Language"])
        response.headers.setdefault("Content-Language", language)
        return response

    return answered


def localized_in(language: str, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a streamed response's pieces, made after the request, in the request's language."""
    made = iter(pieces)
    while True:
        with using_language(language):
            piece = next(made, None)
        if piece is None:
            return
        yield piece

"""The language that people read: asked for by ``Accept-Language``, kept as long as a request.

Only what is shown is translated; what is stored, delivered or logged stays as the engine says it.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header

from tabular.model.sentences import LANGUAGES, translated

ENGLISH = LANGUAGES[0]
API = "/api/"
SENTENCES_OF_A_PROBLEM = ("title", "detail")
_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)


def spoken() -> str:
    """Give the language of this request; English outside of any."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language for a while."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def said(text: str) -> str:
    """Give a sentence of the engine in the language of this request."""
    return translated(text, spoken())


def wanted(header: str) -> str:
    """
    Choose a language by an ``Accept-Language``; English when nobody speaks what is asked for.

    >>> wanted("de-AT, en;q=0.5"), wanted("tlh"), wanted("fr;q=0.2, es"), wanted("")
    ('de', 'en', 'es', 'en')
    """
    for name, _ in parse_accept_lang_header(header.lower()):
        language = name.partition("-")[0]
        if language in LANGUAGES:
            return language
    return ENGLISH


def said_problem(problem: dict[str, Any]) -> dict[str, Any]:
    """Give a problem with its sentences in the language of this request; codes never change."""
    if spoken() == ENGLISH:
        return problem
    shown = dict(problem)
    for name in SENTENCES_OF_A_PROBLEM:
        if isinstance(shown.get(name), str):
            shown[name] = said(shown[name])
    if isinstance(shown.get("errors"), list):
        shown["errors"] = [
            {**one, "detail": said(one["detail"])} if isinstance(one.get("detail"), str) else one
            for one in shown["errors"]
        ]
    return shown


def speak_as_asked(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer calls of the API in the language that they ask for."""

    def answered(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(API):
            return get_response(request)
        language = wanted(request.headers.get("Accept-Language", ""))
        with speaking(language), translation.override(language):
            response = get_response(request)
        patch_vary_headers(response, ["Accept-Language"])
        response.headers.setdefault("Content-Language", language)
        return response

    return answered


def spoken_in(language: str, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Give pieces that are made while they are sent, after the request, in its language."""
    made = iter(pieces)
    while True:
        with speaking(language):
            piece = next(made, None)
        if piece is None:
            return
        yield piece

"""Pages for people without an account: they load nothing from elsewhere, no program lists them."""

import secrets
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from common.wording.writing import direction

Answer = TypeVar("Answer", bound=HttpResponse)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}


def rendered(
    request: HttpRequest, template: str, about: dict[str, Any], language: str, status: int
) -> HttpResponse:
    """Return a page in a language, with a policy that lets it load only what is the engine's."""
    nonce = secrets.token_urlsafe(16)
    context = {**about, "language": language, "direction": direction(language), "nonce": nonce}
    answer = with_headers(render(request, template, context, status=status))
    answer["Content-Security-Policy"] = POLICY.format(nonce=nonce)
    answer["Content-Language"] = language
    return answer


def with_headers(answer: Answer) -> Answer:
    """Return an answer that is kept and listed nowhere, and whose address is passed on to none."""
    for name, text in HEADERS.items():
        answer[name] = text
    return answer

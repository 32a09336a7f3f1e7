"""
The pages of links, ``/i/{token}``, for people without an account.

A page loads nothing from another origin and sends nothing to one. Looking at it changes nothing,
because programs that check mails look at links, too: a person opens it with a button. It then
belongs to the browser's cookie, which no script reads and no other page sends (``SameSite``), so
that the form needs no token of its own.
"""

import math
import secrets
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from common import clock
from common.errors import ServiceError
from common.http.addresses import below
from common.http.language import wanted
from common.http.problems import problem_answer
from common.http.public_pages import rendered, with_headers
from common.wording.messages import Message
from common.wording.writing import moment
from imports.models import ImportRecord
from licensing.logo import logo_of
from licensing.refusals import OriginNotAllowed, SessionEnded
from licensing.throttle import WINDOW_S, counter, seconds_left
from links import services, words
from links.colours import accents
from links.models import Link
from links.selectors import link_at, standing_for, unfinished, visit_of
from links.standing import Standing

COOKIE = "import_link"
CALLS_A_MINUTE = 120  # of one address, for all links
OPENINGS_A_MINUTE = 20


@csrf_exempt  # its cookie is not sent with a form of another page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a link is to this browser; POST opens it."""
    at = clock.now()
    language = wanted(request.headers.get("Accept-Language", ""))
    if _is_over_limit(request, at):
        return _busy(request, language, at)
    link = link_at(token)
    if link is None:
        return _notice(request, words.missing(language), language)
    language = link.page.get("language") or language
    if request.method == "POST":
        return _open(request, link, token, language, at)
    browser = request.COOKIES.get(COOKIE, "")
    visit = visit_of(link, browser) if browser else None
    match standing_for(link, visit, at=at):
        case Standing.START:
            answer = _start(request, link, language)
            _keep(answer, request, link, token, browser or secrets.token_urlsafe(32))
        case Standing.GO_ON if link.corrects is not None:
            about = {"token": token, **_correcting(link.corrects, _name(link), language)}
            answer = _page(request, "links/correct.html", link, language, about)
        case Standing.GO_ON:
            record = unfinished(visit) if visit else None
            about = {"record_id": record.public_id if record else "", "token": token}
            answer = _page(request, "links/import.html", link, language, about)
        case other:
            answer = _notice(
                request, words.notice(other, name=_name(link), language=language), language, link
            )
    return answer


def _open(
    request: HttpRequest, link: Link, token: str, language: str, at: datetime
) -> HttpResponse:
    browser = request.COOKIES.get(COOKIE, "")
    if not browser and standing_for(link, None, at=at) is Standing.START:
        answer = _start(request, link, language, Message("link.cookies"), status=400)
        _keep(answer, request, link, token, secrets.token_urlsafe(32))
        return answer
    code = request.POST.get("code", "")[:20]
    if services.open_link(link=link, browser=browser, code=code, at=at) is not Standing.START:
        return with_headers(HttpResponseRedirect(below(f"/i/{token}"), status=303))
    link.refresh_from_db(fields=["code_tries"])
    wrong = Message("link.code.wrong", tries=services.tries_left(link))
    return _start(request, link, language, wrong, status=403)


@csrf_exempt  # as above
@require_POST
def session(request: HttpRequest, token: str) -> JsonResponse:
    """Return the token of the page's session, to the script of the page alone."""
    at = clock.now()
    try:
        if _is_over_limit(request, at):
            raise services.TooManyLinks(members={"retryAfter": _wait_s(at)})
        link, browser = link_at(token), request.COOKIES.get(COOKIE, "")
        if link is None or not browser:
            raise SessionEnded
        origin = request.headers.get("Origin", "").lower()
        if urlsplit(origin).netloc != request.get_host().lower():
            raise OriginNotAllowed
        key = services.open_page_session(link=link, browser=browser, origin=origin, at=at)
    except ServiceError as error:
        return with_headers(problem_answer(error))
    return with_headers(JsonResponse({"token": key}))


def _start(
    request: HttpRequest,
    link: Link,
    language: str,
    problem: Message | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """Return the page with the button that opens the link."""
    name = _name(link)
    until = moment(link.expires_at, language)
    about = {
        "has_code": bool(link.code_hash),
        "is_single": link.kind == Link.Kind.SINGLE,
        "problem": problem.text(language) if problem else "",
        "until": Message("link.until", moment=until).text(language),
        "code_hint": Message("link.code.hint", name=name).text(language),
        "single": Message("link.single").text(language),
        "start": Message("link.start").text(language),
        "code": Message("link.code").text(language),
    }
    return _page(request, "links/start.html", link, language, about, status=status)


def _page(
    request: HttpRequest,
    template: str,
    link: Link,
    language: str,
    about: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """Return a page with the host's name and colours."""
    name, shown = _name(link), link.page
    title, text = Message("link.title"), Message("link.about", name=name)
    if link.corrects is not None:
        title, text = Message("link.correct.title"), Message("link.correct.about", name=name)
    context = {
        "name": name,
        "logo": link.logo or logo_of(link.tenant),
        "title": shown.get("title") or title.text(language),
        "text": shown.get("text") or text.text(language),
        "catalog_key": link.catalog_key,
        "script": Message("link.script").text(language),
        "broken": Message("link.broken").text(language),
        "accents": accents(shown["accent"]) if shown.get("accent") else None,
    }
    return rendered(request, template, {**context, **about}, language, status)


def _correcting(record: ImportRecord, name: str, language: str) -> dict[str, Any]:
    """Return what the page shows of an import that it corrects: a count, never a cell."""
    count = record.counts.get("error", 0)
    left = Message("link.correct.left", n=count) if count else Message("link.correct.no_more")
    return {
        "record_id": record.public_id,
        "left": left.text(language),
        "count": count,
        **{key: sentence.text(language) for key, sentence in words.correcting().items()},
    }


def _notice(
    request: HttpRequest, notice: words.Notice, language: str, link: Link | None = None
) -> HttpResponse:
    """Return a page that says why nothing opens, and what to do."""
    if link is None:  # the same page for every address that is not a link
        about = {"title": notice.title, "text": notice.text}
        return rendered(request, "links/notice.html", about, language, notice.status)
    about = {"title": notice.title, "text": notice.text}
    return _page(request, "links/notice.html", link, language, about, status=notice.status)


def _busy(request: HttpRequest, language: str, at: datetime) -> HttpResponse:
    answer = _notice(request, words.busy(language), language)
    answer["Retry-After"] = str(_wait_s(at))
    return answer


def _keep(answer: HttpResponse, request: HttpRequest, link: Link, token: str, browser: str) -> None:
    """Set the cookie by which the browser is known to this one link."""
    answer.set_cookie(
        COOKIE,
        browser,
        expires=link.expires_at,
        path=below(f"/i/{token}"),
        secure=settings.BEHIND_TLS or request.is_secure(),
        httponly=True,
        samesite="Lax",  # with Strict, a link in a mail would open without it
    )


def _is_over_limit(request: HttpRequest, at: datetime) -> bool:
    """Count a call of an address; openings, which may hold a guessed code, count apart, too."""
    address, minute = request.META.get("REMOTE_ADDR", ""), at.timestamp() // WINDOW_S
    calls = counter.count(f"link-pages:{address}:{minute:.0f}")
    is_opening = request.method == "POST" and not request.path_info.endswith("/session")
    openings = counter.count(f"link-openings:{address}:{minute:.0f}") if is_opening else 0
    return calls > CALLS_A_MINUTE or openings > OPENINGS_A_MINUTE


def _wait_s(at: datetime) -> int:
    return math.ceil(seconds_left(at, WINDOW_S))


def _name(link: Link) -> str:
    return str(link.page["name"])

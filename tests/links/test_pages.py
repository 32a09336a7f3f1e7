"""What a browser sees of a link: its whole life, and what other browsers and guesses get."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import check_password
from django.db import connection
from django.test.utils import CaptureQueriesContext

from common import clock
from common.models import Event
from imports.models import ImportRecord
from licensing.models import Logo, PageSession
from links import services
from links.models import Link
from tests.links.conftest import V1, Browser, path_of, start, stored

pytestmark = pytest.mark.django_db
GUESSES = ("a" * 43, "short", "%C3%BC" * 200, "lnk_0123456789")


def text(answer) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def expire(link: dict) -> None:
    Link.objects.filter(public_id=link["id"]).update(expires_at=clock.now())


def test_looking_at_a_link_opens_nothing(create, read):
    link = create()
    for _ in range(3):  # a program that checks mails, or shows a preview
        assert Browser().visit(link).status_code == 200

    assert read(link)["state"] == "open"
    assert not PageSession.objects.exists()
    assert Browser().open(link).status_code == 303


def test_a_single_link_goes_on_for_the_browser_that_opened_it_alone(create, visitor):
    link = create()
    page = visitor(link)
    record_id = start(page).json()["recordId"]
    again = page.browser.visit(link)
    other = Browser()

    assert f'record-id="{record_id}"' in text(again)
    assert other.visit(link).status_code == 403
    assert "already in use" in text(other.visit(link))
    other.cookies["import_link"] = "guessed"
    assert other.post(path_of(link)).status_code == 303
    assert other.visit(link).status_code == 403
    assert other.session(link).status_code == 401


def test_a_browser_that_comes_back_gets_the_same_session(create, visitor, client_of):
    link = create()
    first = visitor(link)
    record_id = start(first).json()["recordId"]
    PageSession.objects.update(expires_at=clock.now())  # half an hour later
    assert first.get(f"{V1}/imports/{record_id}").status_code == 401
    token = first.browser.session(link).json()["token"]

    assert client_of(token).get(f"{V1}/imports/{record_id}").status_code == 200
    assert PageSession.objects.count() == 1
    assert PageSession.objects.get().expires_at < clock.now() + timedelta(minutes=31)


def test_a_browser_that_comes_back_after_its_session_was_forgotten_can_go_on(create, visitor):
    link = create()
    page = visitor(link)
    PageSession.objects.all().delete()

    assert start(visitor(link, page.browser)).status_code == 202


def test_a_session_that_the_host_ended_stays_ended(create, visitor, host):
    link = create()
    page = visitor(link)
    session = PageSession.objects.get().public_id
    host.delete(f"{V1}/sessions/{session}")

    assert page.browser.session(link).status_code == 401


def test_a_dated_link_opens_in_many_browsers_and_keeps_them_apart(create, visitor):
    link = create(kind="dated", maxImports=2)
    first, second = visitor(link), visitor(link)
    record_id = start(first).json()["recordId"]

    assert second.get(f"{V1}/imports/{record_id}").status_code == 404
    assert record_id not in text(second.browser.visit(link))
    assert start(second).status_code == 202
    assert "complete" in text(Browser().visit(link))


def test_a_link_reaches_nothing_that_others_import_in_its_scope(create, visitor, host, client_of):
    link = create(kind="dated", maxImports=5, scope="acme")
    session = {"scope": "acme", "catalogKey": "orders"}
    own_page = client_of(host.post(f"{V1}/sessions", session, format="json").json()["token"])
    own = start(own_page).json()["recordId"]
    first, second = visitor(link), visitor(link)
    sent = start(first).json()["recordId"]

    assert [second.get(f"{V1}/imports/{record_id}").status_code for record_id in (own, sent)] == [
        404,
        404,
    ]
    assert second.get(f"{V1}/imports").json()["items"] == []
    assert [item["recordId"] for item in first.get(f"{V1}/imports").json()["items"]] == [sent]
    listed = own_page.get(f"{V1}/imports").json()["items"]
    assert {item["recordId"] for item in listed} == {own, sent}


def test_what_was_sent_is_said_to_the_browser_that_sent_it(create, visitor):
    link = create()
    page = visitor(link)
    start(page)
    ImportRecord.objects.update(state="applied")

    assert "Your import was sent" in text(page.browser.visit(link))


@pytest.mark.parametrize("is_open_in_it", [True, False])
def test_an_expired_link_says_what_to_do(is_open_in_it, create, read):
    link, browser = create(), Browser()
    if is_open_in_it:
        browser.open(link)
    expire(link)
    answer = browser.visit(link)

    assert (answer.status_code, read(link)["state"]) == (410, "expired")
    assert "Ask Northwind for a new link" in text(answer)
    assert browser.post(path_of(link)).status_code in {303, 400}
    assert browser.session(link).status_code == 401


def test_a_revoked_link_says_what_to_do(create, host):
    link = create()
    host.delete(f"{V1}/links/{link['id']}")
    answer = Browser().visit(link)

    assert answer.status_code == 410
    assert "withdrawn" in text(answer)


def test_a_guessed_address_gets_one_page_whatever_was_guessed(create):
    create()
    answers = []
    for guess in GUESSES:
        with CaptureQueriesContext(connection) as queries:
            answers.append(Browser().get(f"/i/{guess}"))
        assert len(queries) == 1, guess
    shown = {text(answer) for answer in answers[:2]}

    assert {answers[n].status_code for n in range(2)} == {404}
    assert len(shown) == 1
    assert "Northwind" not in shown.pop()
    assert not answers[0].cookies
    assert Browser().post("/i/" + "a" * 43).status_code == 404
    assert Browser().session({"url": "/i/" + "a" * 43}).status_code == 401


def test_pages_leave_no_trace_and_load_nothing_from_elsewhere(create, visitor):
    link = create(page={"name": "Northwind", "accent": "#ffcc00"})
    page = visitor(link)
    for answer in (Browser().visit(link), page.browser.visit(link), Browser().get("/i/guess")):
        policy = answer["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert answer["Referrer-Policy"] == "no-referrer"
        assert answer["Cache-Control"] == "no-store"
        assert "noindex" in answer["X-Robots-Tag"]
        assert answer["X-Frame-Options"] == "DENY"
        assert "http" not in re.sub(r'(src|href)="/', "", text(answer))


def test_the_cookie_belongs_to_the_page_alone(create, settings):
    settings.BEHIND_TLS = True
    link = create()
    cookie = Browser().visit(link).cookies["import_link"]

    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", True)
    assert cookie["path"] == path_of(link)


def test_a_form_without_the_cookie_opens_nothing(create, read):
    link = create()
    answer = Browser().post(path_of(link))

    assert answer.status_code == 400
    assert "Allow cookies" in text(answer)
    assert read(link)["state"] == "open"


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", ""])
def test_a_page_of_another_origin_gets_no_session(origin, create):
    link, browser = create(), Browser()
    browser.open(link)

    assert browser.session(link, origin=origin).status_code == 403


def test_a_code_opens_a_link_once(create, read):
    link = create(withCode=True)
    code = f"{link['code'][:3]} {link['code'][3:]}"
    browser = Browser()

    assert browser.open(link).status_code == 403
    assert check_password(link["code"], stored(link).code_hash)
    assert browser.open(link, code=code).status_code == 303
    assert Browser().open(link, code=code).status_code == 303
    assert Browser().visit(link).status_code == 403
    assert read(link)["withCode"] is True


def test_five_wrong_codes_lock_a_link_in_every_browser(create, read):
    link = create(withCode=True)
    wrong = "000000" if link["code"] != "000000" else "111111"
    answers = [Browser().open(link, code=wrong) for _ in range(6)]

    assert [answer.status_code for answer in answers] == [403] * 4 + [303] * 2
    assert "4 tries left" in text(answers[0])
    assert "locked" in text(Browser().visit(link))
    assert Browser().open(link, code=link["code"]).status_code == 303
    assert "locked" in text(Browser().visit(link))
    assert read(link)["isLocked"] is True
    assert Event.objects.filter(kind="link.locked").count() == 1


def test_an_address_looks_at_a_bounded_number_of_links(create, monkeypatch):
    monkeypatch.setattr("links.views.CALLS_A_MINUTE", 2)
    link = create()
    answers = [Browser().visit(link) for _ in range(3)]
    guess = Browser().get("/i/guess")

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert guess.status_code == 429
    assert int(guess["Retry-After"]) > 0


def test_an_address_opens_a_bounded_number_of_links(create, monkeypatch):
    monkeypatch.setattr("links.views.OPENINGS_A_MINUTE", 1)
    link = create(withCode=True)

    assert Browser().open(link, code="x").status_code == 403
    assert Browser().open(link, code=link["code"]).status_code == 429


@pytest.mark.parametrize(
    ("language", "title"),
    [("de", "Datei importieren"), ("fr", "Importer un fichier"), ("es", "Importar un archivo")],
)
def test_a_page_speaks_the_language_of_the_link_or_of_the_browser(language, title, create):
    fixed = create(page={"name": "Northwind", "language": language})
    free = create()
    by_browser = Browser().get(path_of(free), HTTP_ACCEPT_LANGUAGE=language)

    for answer in (Browser().visit(fixed), by_browser):
        assert f'<h1 id="title">{title}</h1>' in text(answer)
        assert f'<html lang="{language}" dir="ltr">' in text(answer)


def test_texts_of_the_host_are_texts(create):
    link = create(page={"name": "<b>N</b>", "text": "<script>x()</script>", "title": "<i>T</i>"})
    shown = text(Browser().visit(link))

    assert "<script>" not in shown
    assert "&lt;b&gt;N&lt;/b&gt;" in shown


def test_links_that_expired_are_noted_and_deleted_a_month_later(create, read):
    link = create(meta={"ticket": 7})
    expire(link)
    at = clock.now()
    assert services.expire_due(at=at) == 1
    assert services.expire_due(at=at) == 0

    assert read(link)["events"][0]["kind"] == "link.expired"
    assert stored(link).terms["meta"] is None
    services.forget_ended(at=at + timedelta(days=29))
    assert Link.objects.filter(public_id=link["id"]).exists()
    services.forget_ended(at=at + timedelta(days=30, minutes=1))
    assert not Link.objects.filter(public_id=link["id"]).exists()


def test_a_page_without_a_logo_shows_that_of_the_tenant(create, owner):
    picture = "data:image/png;base64,iVBORw0KGgo="
    Logo.objects.create(tenant=owner, picture=picture)

    assert f'<img src="{picture}" alt="">' in text(Browser().visit(create()))

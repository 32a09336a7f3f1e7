"""What a host says of a link, what is refused, and what it reads of it later."""

import base64
from datetime import timedelta

import pytest

from common import clock
from imports.models import ImportRecord
from licensing.models import PageSession
from links.models import Link
from tests.links.conftest import TEXT, V1, Browser, start, stored

pytestmark = pytest.mark.django_db
PNG = "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n and more").decode()
SVG = "data:image/svg+xml;base64," + base64.b64encode(b"<svg onload='x()'/>").decode()
LIES = "data:image/png;base64," + base64.b64encode(b"<svg onload='x()'/>").decode()
PAGE = {"name": "Northwind"}


def test_the_address_and_the_code_are_shown_once_and_kept_as_digests(create, read):
    link = create(withCode=True)
    token = link["url"].rpartition("/")[2]

    assert len(token) == 43
    assert len(link["code"]) == 6
    assert not {"url", "code", "token"} & read(link).keys()
    kept = str(vars(stored(link)))
    assert token not in kept
    assert f"'{link['code']}'" not in kept


@pytest.mark.parametrize(
    ("wanted", "status", "code", "pointer"),
    [
        ({}, 400, "invalid_request", "/page"),
        ({"page": {}}, 400, "invalid_request", "/page/name"),
        ({"page": PAGE, "catalogKey": "ordres"}, 404, "unknown_catalog", None),
        ({"page": PAGE, "applyMode": "browser"}, 400, "invalid_request", "/applyMode"),
        ({"page": PAGE, "origin": "https://a.example"}, 400, "invalid_request", "/origin"),
        ({"page": PAGE, "rights": ["revert"]}, 400, "invalid_request", "/rights/0"),
        ({"page": PAGE, "kind": "forever"}, 400, "invalid_request", "/kind"),
        ({"page": PAGE, "maxImports": 0}, 400, "invalid_request", "/maxImports"),
        ({"page": PAGE, "kind": "dated", "withCode": True}, 400, "invalid_request", "/withCode"),
        ({"page": {**PAGE, "logo": SVG}}, 400, "invalid_request", "/page/logo"),
        ({"page": {**PAGE, "logo": LIES}}, 400, "invalid_request", "/page/logo"),
        ({"page": {**PAGE, "logo": "https://a.example/a.png"}}, 400, "invalid_request",
         "/page/logo"),
        ({"page": {**PAGE, "accent": "red;}body{"}}, 400, "invalid_request", "/page/accent"),
        ({"page": {**PAGE, "language": "tlh"}}, 400, "invalid_request", "/page/language"),
        ({"page": PAGE, "fields": {"orders.nothing": {"hidden": True}}}, 400, "invalid_overlay",
         "/fields/orders.nothing"),
        ({"page": PAGE, "extraFields": [{"entity": "orders", "key": "k", "columnType": "string"}]},
         403, "entitlement_required", None),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_at_creation(wanted, status, code, pointer, host):
    answer = host.post(f"{V1}/links", {"catalogKey": "orders", **wanted}, format="json")

    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content
    if pointer:
        assert pointer in [item["pointer"] for item in answer.json()["errors"]]
    assert not Link.objects.exists()


@pytest.mark.parametrize("days", [-1, 91])
def test_a_link_expires_within_ninety_days(days, host):
    ends = clock.iso(clock.now() + timedelta(days=days))
    wanted = {"catalogKey": "orders", "page": PAGE, "expiresAt": ends}
    answer = host.post(f"{V1}/links", wanted, format="json")

    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_link_end")


def test_a_link_never_outlives_the_license_that_created_it(create):
    assert stored(create()).expires_at == stored(create()).license.expires_at


def test_a_key_without_the_entitlement_creates_no_link(mint_key, client_of, publish):
    publish("orders")
    answer = client_of(mint_key()).post(
        f"{V1}/links", {"catalogKey": "orders", "page": PAGE}, format="json"
    )

    assert (answer.status_code, answer.json()["code"]) == (403, "entitlement_required")


def test_a_page_neither_creates_nor_reads_links(create, visitor):
    link = create()
    page = visitor(link)

    assert page.get(f"{V1}/links").status_code == 403
    assert page.get(f"{V1}/links/{link['id']}").status_code == 403
    assert page.delete(f"{V1}/links/{link['id']}").status_code == 403


def test_another_tenant_reaches_no_link(create, mint_key, client_of):
    link = create()
    stranger = client_of(mint_key("tnt_stranger", entitlements=("hostedLinks",)))

    assert stranger.get(f"{V1}/links").json()["items"] == []
    assert stranger.get(f"{V1}/links/{link['id']}").status_code == 404
    assert stranger.delete(f"{V1}/links/{link['id']}").status_code == 404
    assert stored(link).state == "open"


def test_a_repeated_call_creates_one_link_and_repeats_no_secret(host):
    wanted = {"catalogKey": "orders", "page": PAGE, "withCode": True}
    answers = [
        host.post(f"{V1}/links", wanted, format="json", HTTP_IDEMPOTENCY_KEY="once").json()
        for _ in range(2)
    ]

    assert Link.objects.count() == 1
    assert answers[0]["id"] == answers[1]["id"]
    assert not {"url", "code"} & answers[1].keys()


def test_the_page_of_a_link_imports_by_the_terms_of_the_link(create, visitor):
    link = create(
        scope="acme",
        meta={"ticket": 7},
        invalidRows=["fix"],
        fields={"orders.customer": {"label": "Who bought"}},
        actor={"id": "u-7", "label": "Ada"},
    )
    page = visitor(link)
    answer = start(page)
    record = ImportRecord.objects.get(public_id=answer.json()["recordId"])
    session = page.get(f"{V1}/license/verify").json()

    assert (record.scope, record.meta, record.catalog_key) == ("acme", {"ticket": 7}, "orders")
    assert record.overlay["fields"] == {"orders.customer": {"label": "Who bought"}}
    assert session["session"]["invalidRows"] == ["fix"]
    assert session["rights"] == []
    assert start(page, catalogKey="prices").status_code == 403
    assert PageSession.objects.get().origin == "http://testserver"


def test_the_host_reads_what_came_of_a_link(create, read, visitor):
    link = create(page={"name": "Northwind", "logo": PNG, "accent": "#ffcc00"})
    record_id = start(visitor(link)).json()["recordId"]
    seen = read(link)

    assert (seen["state"], seen["importsStarted"], seen["hasLogo"]) == ("used", 1, True)
    assert [item["recordId"] for item in seen["imports"]] == [record_id]
    assert [item["kind"] for item in reversed(seen["events"])] == [
        "link.created", "link.opened", "link.used", "link.import-started"
    ]  # fmt: skip
    assert seen["events"][0]["recordId"] == record_id


def test_a_revoked_link_ends_the_sessions_of_its_page(create, host, read, visitor):
    link = create(meta={"ticket": 7})
    page = visitor(link)
    assert host.delete(f"{V1}/links/{link['id']}").status_code == 204

    assert read(link)["state"] == "revoked"
    assert read(link)["terms"]["meta"] is None
    assert start(page).json()["code"] == "session_ended"
    assert page.browser.session(link).status_code == 401
    assert host.delete(f"{V1}/links/{link['id']}").status_code == 204
    kinds = [item["kind"] for item in read(link)["events"]]
    assert kinds.count("link.revoked") == 1


def test_no_more_imports_start_than_the_link_has(create, read, visitor):
    link = create(kind="dated", maxImports=2)
    page = visitor(link)
    started = [start(page).status_code for _ in range(3)]

    assert started == [202, 202, 409]
    assert start(page).json()["code"] == "link_used_up"
    assert read(link)["state"] == "used"


def test_an_import_that_was_cancelled_does_not_count(create, visitor):
    page = visitor(create())
    wrong = start(page).json()["recordId"]
    page.post(f"{V1}/imports/{wrong}/cancel")

    assert start(page).status_code == 202
    assert start(page).status_code == 409


def test_files_of_a_link_are_bounded_also_if_each_is_cancelled(create, visitor, monkeypatch):
    monkeypatch.setattr("links.services.TRIES_AN_IMPORT", 2)
    page = visitor(create())
    for _ in range(2):
        record_id = start(page).json()["recordId"]
        page.post(f"{V1}/imports/{record_id}/cancel")

    assert start(page).json()["code"] == "link_used_up"


def test_imports_of_other_sessions_are_not_counted(create, host, client_of, read):
    link = create()
    token = host.post(f"{V1}/sessions", {"catalogKey": "orders"}, format="json").json()["token"]
    start(client_of(token))
    host.post(f"{V1}/imports", {"text": TEXT, "catalogKey": "orders"}, format="json")

    assert read(link)["importsStarted"] == 0


def test_a_license_creates_a_bounded_number_of_links(create, host, monkeypatch):
    create()
    monkeypatch.setattr("links.services.OPEN_AT_ONCE", 1)
    answer = host.post(f"{V1}/links", {"catalogKey": "orders", "page": PAGE}, format="json")

    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_links")


def test_a_link_whose_license_was_revoked_opens_nothing(create):
    link = create()
    license = stored(link).license
    license.revoked_at = clock.now()
    license.save()

    assert Browser().visit(link).status_code == 410

"""What a session lets a host's page do, and what the page cannot change."""

from datetime import timedelta

import pytest
from django.core.cache import cache

from common import clock
from imports.models import ImportRecord, Profile
from licensing import sessions
from licensing.models import License, PageSession
from licensing.services import revoke_license
from tests.imports.conftest import client, owner, publish, upload

__all__ = ["client", "owner", "publish", "upload"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
TEXT = "Artikel,Menge\nA,1\n"


@pytest.fixture
def server(mint_key, client_of, publish):
    """Return the host's server, with the catalogs ``orders`` and ``prices``."""
    publish("orders")
    publish("prices")
    return client_of(mint_key())


@pytest.fixture
def open_page(server, client_of):
    """Return a function that opens a session and returns a client with its token."""

    def open_one(**wanted):
        opened = server.post(f"{V1}/sessions", wanted, format="json")
        assert opened.status_code == 201, opened.content
        page = client_of(opened.json()["token"])
        page.opened = opened.json()
        return page

    return open_one


def create(page, **members):
    return page.post(f"{V1}/imports", {"text": TEXT, **members}, format="json")


def record_of(answer) -> ImportRecord:
    assert answer.status_code == 202, answer.content
    return ImportRecord.objects.get(public_id=answer.json()["recordId"])


def test_the_token_is_shown_once_and_only_its_digest_is_kept(open_page, server):
    page = open_page(catalogKey="orders")
    token = page.opened["token"]
    kept = PageSession.objects.get()

    assert token.startswith("imp_ses_")
    assert token not in str(vars(kept))
    assert "token" not in server.get(f"{V1}/sessions/{page.opened['id']}").json()


@pytest.mark.parametrize(
    ("wanted", "status", "code", "pointer"),
    [
        ({"catalog": "orders"}, 400, "invalid_request", "/catalog"),
        ({"scope": "customer-7", "rows": []}, 400, "invalid_request", "/rows"),
        ({"actor": {"id": "u-17", "email": "a@b.example"}}, 400, "invalid_request", "/actor/email"),
        ({"applyMode": "both"}, 400, "invalid_request", "/applyMode"),
        ({"invalidRows": ["exclude", "drop"]}, 400, "invalid_request", "/invalidRows/1"),
        ({"meta": {"page": {}}}, 400, "invalid_request", "/meta/page"),
        ({"catalogKey": "ordres"}, 404, "unknown_catalog", None),
    ],
)
def test_half_a_session_is_refused_by_name(wanted, status, code, pointer, server):
    answer = server.post(f"{V1}/sessions", wanted, format="json")

    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content
    assert [item["pointer"] for item in answer.json().get("errors", [])] == (
        [pointer] * bool(pointer)
    )
    assert not PageSession.objects.exists()


def test_a_page_reads_what_its_session_settles(open_page):
    page = open_page(
        scope="customer-7", catalogKey="orders", applyMode="browser", invalidRows=["fix"]
    )
    answer = page.get(f"{V1}/license/verify").json()

    assert answer["session"] == {
        "id": page.opened["id"],
        "scope": "customer-7",
        "ownOnly": False,
        "catalogKey": "orders",
        "applyMode": "browser",
        "invalidRows": ["fix"],
    }
    assert answer["rights"] == []
    assert answer["expiresAt"] == page.opened["expiresAt"]
    assert answer["entitlements"] == {}


def test_a_license_key_says_nothing_of_a_session(server):
    assert "session" not in server.get(f"{V1}/license/verify").json()


def test_what_the_page_says_is_separate_from_what_the_host_said(open_page):
    page = open_page(catalogKey="orders", meta={"order": 12})
    record = record_of(create(page, meta={"order": 13, "tab": "x"}))

    assert record.meta == {"order": 12, "page": {"order": 13, "tab": "x"}}


def test_a_key_in_a_page_says_its_meta_as_a_page(publish, mint_key, client_of):
    publish("orders")
    page = client_of(mint_key(origins=("https://shop.example",)))

    assert record_of(create(page, meta={"tab": "x"})).meta == {"page": {"tab": "x"}}


def test_a_host_cannot_say_what_is_kept_for_the_page(server):
    answer = server.post(f"{V1}/sessions", {"meta": {"page": 1}}, format="json")

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "/meta/page"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"scope": "customer-8"}, "/scope"),
        ({"catalogKey": "prices"}, "/catalogKey"),
    ],
)
def test_a_page_changes_nothing_of_its_session(body, pointer, open_page):
    answer = create(open_page(scope="customer-7", catalogKey="orders"), **body)

    assert answer.status_code == 403
    assert answer.json()["code"] == "fixed_by_session"
    assert [wrong["pointer"] for wrong in answer.json()["errors"]] == [pointer]


def test_a_page_imports_into_the_catalog_and_scope_of_its_session(open_page):
    record = record_of(create(open_page(scope="customer-7", catalogKey="orders")))

    assert (record.catalog_key, record.scope) == ("orders", "customer-7")


def test_a_page_sees_the_catalog_of_its_session_alone(open_page):
    page = open_page(catalogKey="orders")

    assert [item["key"] for item in page.get(f"{V1}/catalogs").json()["items"]] == ["orders"]
    assert page.get(f"{V1}/catalogs/prices").status_code == 404
    assert page.get(f"{V1}/catalogs/prices/template").status_code == 404


def test_a_new_session_reaches_an_import_by_its_token(open_page, client_of):
    made = create(open_page(catalogKey="orders")).json()
    later = open_page(catalogKey="orders")
    address = f"{V1}/imports/{made['recordId']}"

    assert later.get(address).status_code == 404
    assert later.get(address, HTTP_X_IMPORT_TOKEN=made["importToken"]).status_code == 200


def test_a_token_opens_nothing_across_scopes(open_page):
    made = create(open_page(scope="customer-7", catalogKey="orders")).json()
    other = open_page(scope="customer-8", catalogKey="orders")
    answer = other.get(f"{V1}/imports/{made['recordId']}", HTTP_X_IMPORT_TOKEN=made["importToken"])

    assert answer.status_code == 404


def test_an_import_of_the_server_is_reached_in_its_scope_alone(open_page, server):
    made = create(server, catalogKey="orders", scope="customer-7").json()
    address = f"{V1}/imports/{made['recordId']}"

    assert open_page(scope="customer-7").get(address).status_code == 200
    assert open_page().get(address).status_code == 404


def test_the_same_idempotency_key_of_two_sessions_makes_two_imports(open_page):
    first, second = (
        open_page(catalogKey="orders").post(
            f"{V1}/imports", {"text": TEXT}, format="json", HTTP_IDEMPOTENCY_KEY="one"
        )
        for _ in range(2)
    )

    assert first.json()["recordId"] != second.json()["recordId"]


def test_a_session_without_a_scope_teaches_nothing(open_page):
    unknown = record_of(create(open_page(catalogKey="orders")))
    known = record_of(create(open_page(catalogKey="orders", scope="customer-7")))

    assert (unknown.from_page, known.from_page) == (True, False)
    assert not Profile.objects.exists()


def test_who_uses_the_page_is_named_in_the_history(open_page):
    page = open_page(catalogKey="orders", actor={"id": "u-1", "label": "Ada"})
    made = create(page, autoMap=True).json()
    page.credentials(
        HTTP_AUTHORIZATION=page._credentials["HTTP_AUTHORIZATION"], HTTP_X_IMPORT_ACTOR="Eve"
    )
    page.post(f"{V1}/imports/{made['recordId']}/cancel")
    history = page.get(f"{V1}/imports/{made['recordId']}/history").json()["items"]

    assert {item["actor"]["label"] for item in history} == {"Ada"}
    assert {item["actor"]["id"] for item in history} == {"u-1"}


@pytest.mark.parametrize(
    ("allowed", "call", "status"),
    [
        (["exclude"], ("patch", "rows", {"revision": 1, "edits": [{}]}), 400),
        (["exclude"], ("post", "rows/fix", {}), 400),
    ],
)
def test_a_wrong_body_is_told_before_what_is_not_allowed(allowed, call, status, open_page, upload):
    method, path, body = call
    made = create(open_page(catalogKey="orders", scope="s")).json()
    page = open_page(scope="s", invalidRows=allowed)

    answer = getattr(page, method)(f"{V1}/imports/{made['recordId']}/{path}", body, format="json")
    assert answer.status_code == status


EDIT = {"row": 0, "field": "x", "text": ""}
FIND = {"revision": 1, "find": "a", "inFields": ["orders.article"]}
REFUSED = [
    ([], "patch", "rows", {"revision": 1, "exclude": [0]}),
    (["fix"], "patch", "rows", {"revision": 1, "exclude": [0]}),
    (["exclude"], "patch", "rows", {"revision": 1, "edits": [EDIT]}),
    (["exclude"], "post", "rows/replace", {**FIND, "replace": "b"}),
    (["fix", "exclude"], "post", "apply", {"invalidRows": "include"}),
    (["fix", "include"], "post", "apply", {"invalidRows": "exclude"}),
    (["fix", "exclude", "include"], "post", "apply", {"applyMode": "browser"}),
]  # fmt: skip


@pytest.mark.parametrize(("allowed", "method", "path", "body"), REFUSED)
def test_what_the_host_does_not_allow_is_refused(allowed, method, path, body, open_page, upload):
    record_id = upload("orders-cp1252.csv", catalogKey="orders", scope="s", autoMap="true")
    address = f"{V1}/imports/{record_id['recordId']}/{path}"
    page = open_page(scope="s", catalogKey="orders", invalidRows=allowed)

    answer = getattr(page, method)(address, body, format="json")

    assert answer.status_code == 403, answer.content
    assert answer.json()["code"] == "fixed_by_session"


def test_a_page_of_another_origin_is_refused(open_page):
    page = open_page(origin="https://Shop.example/")

    assert page.opened["origin"] == "https://shop.example"
    there = page.get(f"{V1}/catalogs", HTTP_ORIGIN="https://shop.example")
    elsewhere = page.get(f"{V1}/catalogs", HTTP_ORIGIN="https://evil.example")
    assert (there.status_code, elsewhere.status_code) == (200, 403)
    assert elsewhere.json()["code"] == "origin_not_allowed"
    assert elsewhere.headers["access-control-allow-origin"] == "*"


def refused(page) -> str:
    answer = page.get(f"{V1}/catalogs", HTTP_ORIGIN="https://shop.example")

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.headers["access-control-allow-origin"] == "*"
    return answer.json()["code"]


def test_a_session_that_was_ended_says_so_to_its_page(open_page, server):
    page = open_page()
    server.delete(f"{V1}/sessions/{page.opened['id']}")

    assert refused(page) == "session_ended"


def test_a_session_ends_by_itself(open_page):
    page = open_page()
    PageSession.objects.update(expires_at=clock.now())

    assert refused(page) == "session_ended"


def test_a_token_that_was_never_given_is_a_session_that_ended(client_of, engine_with_key):
    assert refused(client_of("imp_ses_nobody")) == "session_ended"


def test_a_session_ends_with_its_license(open_page):
    page = open_page()
    revoke_license(license=License.objects.get(), reason="leaked", at=clock.now())

    assert refused(page) == "license_revoked"


def test_a_session_never_outlives_its_license(mint_key, client_of):
    server = client_of(mint_key(expires_in_s=60))
    opened = server.post(f"{V1}/sessions", {}, format="json").json()
    license = License.objects.get()

    assert opened["expiresAt"] == clock.iso(license.expires_at)


@pytest.mark.parametrize("offset", [timedelta(hours=-1), timedelta(hours=25)])
def test_an_end_that_is_past_or_far_is_refused(offset, server):
    body = {"expiresAt": clock.iso(clock.now() + offset)}
    answer = server.post(f"{V1}/sessions", body, format="json")

    assert answer.status_code == 409
    assert answer.json()["code"] == "wrong_session_end"


@pytest.mark.parametrize("origin", ["shop.example", "*", "null", "https://", "https://a/b"])
def test_what_is_not_an_origin_is_refused(origin, server):
    answer = server.post(f"{V1}/sessions", {"origin": origin}, format="json")

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "/origin"


def test_a_page_opens_no_session(open_page):
    assert open_page().post(f"{V1}/sessions", {}, format="json").status_code == 403


def test_sessions_that_ended_long_ago_are_forgotten(open_page):
    open_page()
    at = clock.now()

    assert sessions.forget_ended(at=at) == 0
    assert sessions.forget_ended(at=at + timedelta(days=8)) == 1


def test_a_page_that_calls_too_often_takes_nothing_from_others(open_page, server, settings):
    settings.PAGE_RATE_PER_MINUTE = 3
    busy, calm = open_page(), open_page()
    statuses = [busy.get(f"{V1}/catalogs").status_code for _ in range(8)]

    assert statuses[-1] == 429
    assert calm.get(f"{V1}/catalogs").status_code == 200
    assert server.get(f"{V1}/catalogs").status_code == 200


def test_an_address_that_calls_too_often_takes_nothing_from_others(
    publish, mint_key, client_of, settings
):
    settings.PAGE_RATE_PER_MINUTE = 3
    key = client_of(mint_key(origins=("https://shop.example",)))
    statuses = [key.get(f"{V1}/catalogs").status_code for _ in range(8)]

    assert statuses[-1] == 429
    assert key.get(f"{V1}/catalogs", REMOTE_ADDR="192.0.2.9").status_code == 200


def test_a_page_is_not_told_where_a_delivery_went(open_page, server, owner, settings):
    from ipaddress import ip_network

    from deliveries import services as deliveries
    from deliveries.models import Delivery

    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    page = open_page(catalogKey="orders")
    made = create(page).json()
    hook = deliveries.register(tenant=owner, url="http://127.0.0.1:9/", at=clock.now())
    sent = deliveries.send_test(registration=hook.registration, at=clock.now(), size=0)
    address = f"{V1}/deliveries/{sent.public_id}"
    assert page.get(address).status_code == 404  # of no import of its own

    Delivery.objects.update(record_id=made["recordId"])
    seen, whole = page.get(address).json(), server.get(address).json()

    assert (seen["url"], seen["webhookId"]) == ("", "")
    assert whole["url"] == "http://127.0.0.1:9/"
    assert seen["state"] == whole["state"]


def test_a_page_is_told_the_receivers_of_a_revert_by_their_labels_alone(
    open_page, server, owner, settings
):
    from ipaddress import ip_network

    from changesets.models import Changeset
    from deliveries import services as deliveries
    from tests.imports.conftest import carry_on
    from tests.references.conftest import host_answers

    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    url = "http://127.0.0.1:9/hook?key=of-the-host"
    hook = deliveries.register(tenant=owner, url=url, label="Webshop", at=clock.now())
    page = open_page(catalogKey="orders", rights=["dismissQuestions"])
    made = create(page, autoMap=True).json()
    carry_on(page, made["recordId"])
    address = f"{V1}/imports/{made['recordId']}"
    mapping = page.get(f"{address}/mapping").json()["proposed"]["mapping"]
    settled = {"mapping": mapping, "allowMissing": True}
    assert page.put(f"{address}/mapping", settled, format="json").status_code == 202
    carry_on(page, made["recordId"])
    wishes = {"invalidRows": "include", "openQuestions": "dismiss"}
    applied = page.post(f"{address}/apply", wishes, format="json")
    assert applied.status_code == 202, applied.content
    changeset_id = carry_on(page, made["recordId"])["changesetId"]
    host_answers(200)
    about = {"registrationId": hook.registration.public_id, "deliveryId": "dlv_1"}
    note = {**about, "code": "host_refused", "httpStatus": 409, "answer": "said by the server"}
    Changeset.objects.update(revert_notes=[note])

    answer = page.get(f"{V1}/changesets/{changeset_id}")

    assert answer.json()["receivers"] == [
        {
            "webhookId": hook.registration.public_id,
            "registrationId": hook.registration.public_id, "label": "Webshop",
            "told": False, "reason": "not_told", "rowCount": 1, "until": None,
        }
    ]  # fmt: skip
    shown = {"webhookId": hook.registration.public_id, **note}
    assert answer.json()["revertNotes"] == [{**shown, "answer": ""}]
    (sent,) = page.get(address).json()["deliveries"]
    assert sent["webhookId"] == sent["registrationId"] == hook.registration.public_id
    assert b"127.0.0.1" not in answer.content
    assert b"of-the-host" not in answer.content
    whole = server.get(f"{V1}/changesets/{changeset_id}").json()
    assert whole["revertNotes"] == [shown]


def test_a_license_opens_so_many_sessions_a_minute(server, monkeypatch):
    cache.clear()  # it counts by the license's row, which the tests before had, too
    monkeypatch.setattr(sessions, "OPENED_A_MINUTE", 2)

    answers = [server.post(f"{V1}/sessions", {}, format="json") for _ in range(3)]

    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert answers[2].json()["code"] == "too_many_sessions"
    assert 0 < int(answers[2]["Retry-After"]) <= 60


def test_a_license_has_so_many_sessions_open_at_once(server, monkeypatch):
    monkeypatch.setattr(sessions, "OPEN_AT_ONCE", 2)
    opened = [server.post(f"{V1}/sessions", {}, format="json") for _ in range(2)]
    assert server.post(f"{V1}/sessions", {}, format="json").status_code == 429

    server.delete(f"{V1}/sessions/{opened[0].json()['id']}")

    assert server.post(f"{V1}/sessions", {}, format="json").status_code == 201


@pytest.mark.parametrize(("size", "status"), [(16_000, 201), (17_000, 400)])
def test_what_a_host_says_of_imports_is_short(server, size, status):
    answer = server.post(f"{V1}/sessions", {"meta": {"a": "b" * size}}, format="json")

    assert answer.status_code == status


def test_what_was_said_in_a_session_goes_when_it_is_over(open_page):
    open_page(meta={"a": 1})
    open_page(meta={"b": 2}, scope="other")
    PageSession.objects.filter(scope="other").update(ended_at=clock.now())

    sessions.forget_ended(at=clock.now())

    assert [session.meta for session in PageSession.objects.order_by("id")] == [{"a": 1}, None]

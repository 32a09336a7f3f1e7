"""The host of three customers: sessions that the engine opens, and rows stored by customer."""

import json
import threading
import time
from http.client import HTTPConnection

import pytest

from catalogs import services as catalogs
from common import clock
from common.actors import ENGINE
from deliveries.http.signing import signature_header
from examples.customers.host import CUSTOMERS, HERE, Server, Settings
from tests.api.test_customers import reviewed, rows_of
from tests.imports.conftest import owner

__all__ = ["owner"]  # fixtures

SECRET = "whsec_c2VjcmV0"
SESSIONS = "/api/import/v1/sessions"


def delivery(customer, number="dlv_1"):
    """Return the body of a delivery, with what the host said of it when it opened the session."""
    rows = [{"member.name": f"Ada of {customer}"}]
    about = {"deliveryId": number, "rows": rows, "meta": {"customer": customer}}
    return json.dumps(about).encode()


def signed(body, secret=SECRET):
    return {"x-import-signature": signature_header([secret], t=int(time.time()), body=[body])}


@pytest.fixture
def call(tmp_path):
    """Return a function that calls the running host."""
    nowhere = "http://127.0.0.1:9"  # no engine answers there
    server = Server(Settings(nowhere, "imp_lic_secret", SECRET, tmp_path / "rows.sqlite3"), 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def call(method, path, body=b"", **headers):
        connection = HTTPConnection("127.0.0.1", server.server_port, timeout=10)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        said = answer.status, answer.read().decode()
        connection.close()
        return said

    yield call
    server.shutdown()
    server.server_close()


def test_rows_are_stored_for_the_customer_that_the_session_named(call):
    for number, customer in enumerate(["zurich", "berlin"]):
        body = delivery(customer, f"dlv_{number}")
        assert call("POST", "/apply", body, **signed(body))[0] == 200

    assert json.loads(call("GET", "/zurich/rows")[1]) == [{"member.name": "Ada of zurich"}]
    assert json.loads(call("GET", "/berlin/rows")[1]) == [{"member.name": "Ada of berlin"}]
    assert json.loads(call("GET", "/vienna/rows")[1]) == []


def test_a_repeated_delivery_is_stored_once(call):
    body = delivery("zurich")
    assert [call("POST", "/apply", body, **signed(body))[0] for _ in range(2)] == [200, 200]

    assert len(json.loads(call("GET", "/zurich/rows")[1])) == 1


def test_what_another_signed_is_refused_and_not_stored(call):
    body = delivery("zurich")

    assert call("POST", "/apply", body, **signed(body, "whsec_other"))[0] == 401
    assert call("POST", "/apply", body)[0] == 401
    assert json.loads(call("GET", "/zurich/rows")[1]) == []


def test_a_delivery_without_a_customer_is_verified_and_stored_for_no_one(call):
    body = json.dumps({"deliveryId": "dlv_1", "test": True, "rows": []}).encode()

    assert call("POST", "/apply", body, **signed(body)) == (200, '{"customer": ""}')


def test_a_page_loads_the_widget_and_holds_no_key(call):
    status, page = call("GET", "/zurich")

    assert status == 200
    assert "/elements/service-import.js" in page
    assert "imp_lic_secret" not in page


def test_a_session_that_cannot_be_opened_is_printed_for_the_operator(call, capsys):
    status, said = call("POST", "/zurich/import-session")

    assert (status, json.loads(said)) == (502, {"detail": "The engine opened no session."})
    assert "refused" in capsys.readouterr().out


@pytest.mark.parametrize("path", ["/", "/paris", "/zurich/etc", "/zurich/rows/1"])
def test_nothing_else_is_there(call, path):
    assert call("GET", path)[0] == 404
    assert call("POST", path)[0] == 404


@pytest.fixture
def members(owner):
    """Publish the catalog of the example."""
    text = (HERE / "members.json").read_text("utf-8")
    catalogs.publish_document(tenant=owner, key="members", text=text, at=clock.now(), actor=ENGINE)


@pytest.fixture
def server(members, mint_key, client_of):
    return client_of(mint_key(entitlements=("catalogOverlays",)))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("customer", "own"),
    [
        (
            "zurich",
            {"phone": "+41446681800", "status": "subscriber", "fee": 1234.5, "currency": "CHF"},
        ),
        (
            "berlin",
            {
                "phone": "+493023125100",
                "status": "active",
                "fee": 1234.5,
                "currency": "EUR",
                "locker": 17,
                "contract_end": "2026-12-31",
            },
        ),
        # A hidden field is a member of the rows like any other, without a value.
        ("vienna", {"phone": "+4312345678", "status": "active", "fee": None, "currency": None}),
    ],
)
def test_each_file_is_read_as_its_customer_means_it(customer, own, server, client_of):
    opened = server.post(SESSIONS, CUSTOMERS[customer], format="json")
    assert opened.status_code == 201, opened.content
    page = client_of(opened.json()["token"])
    text = (HERE / customer / "members.csv").read_text("utf-8")

    rows = rows_of(page, reviewed(page, text))

    assert [row["issues"] for row in rows] == [[] for _ in rows]
    values = rows[0]["values"]
    for key in ("number", "name", "joined"):
        assert values.pop(f"member.{key}")
    assert values == {f"member.{key}": value for key, value in own.items()}


@pytest.mark.django_db
def test_the_sessions_need_a_key_that_may_go_beyond_the_catalog(members, mint_key, client_of):
    plain = client_of(mint_key())
    codes = {
        name: plain.post(SESSIONS, wanted, format="json").status_code
        for name, wanted in CUSTOMERS.items()
    }

    assert codes == {"berlin": 403, "vienna": 201, "zurich": 403}

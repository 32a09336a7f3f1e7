"""The host of three customers: sessions that the engine opens, and rows stored by customer."""

import gc
import json
import threading
import time
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError

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


ROW = {"member.number": "1", "member.name": "Ada"}


def delivery(customer, number="dlv_1", status="created", changes=(), **more):
    """Return the body of a delivery, with what the host said of it when it opened the session."""
    about = {
        "deliveryId": number,
        "rows": [ROW],
        "rowEntities": [{"row": 0, "entity": "member", "ref": "ent_1"}],
        "entities": {"member": [{"ref": "ent_1", "status": status}]},
        "changes": list(changes),
        "meta": {"customer": customer},
        **more,
    }
    return json.dumps(about).encode()


def renamed(before, after):
    """Return the change of the only cell of the only row."""
    return {"row": 0, "field": "member.name", "before": before, "after": after}


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
        content = answer.status, answer.read().decode()
        connection.close()
        return content

    yield call
    server.shutdown()
    server.server_close()


@pytest.fixture
def send(call):
    """Return a function that sends a delivery; returns what the host answered."""

    def send(*args, **more):
        body = delivery(*args, **more)
        status, answer = call("POST", "/apply", body, **signed(body))
        assert status == 200
        return json.loads(answer)

    return send


@pytest.fixture
def members_of(call):
    """Return a function that returns the members of a customer, by ref."""
    return lambda customer: json.loads(call("GET", f"/{customer}/members")[1])


def test_members_are_stored_for_the_customer_that_the_session_named(send, members_of):
    send("zurich", "dlv_0")
    send("berlin", "dlv_1")

    assert members_of("zurich") == members_of("berlin") == {"ent_1": ROW}
    assert members_of("vienna") == {}


def test_a_repeated_delivery_is_stored_once_and_answered_alike(send, members_of):
    first = send("zurich")
    assert first == send("zurich") == {"results": [{"row": 0, "status": "created"}]}

    assert members_of("zurich") == {"ent_1": ROW}


def test_of_a_member_that_is_there_only_the_changed_cells_are_set(send, call, members_of):
    send("zurich")
    by_hand = json.dumps({"member.phone": "+41446681800"}).encode()
    assert call("POST", "/zurich/members/ent_1", by_hand)[0] == 200

    answer = send("zurich", "dlv_2", "changed", [renamed("Ada", "Eve")])

    assert answer == {"results": [{"row": 0, "status": "updated"}]}
    eve = {**ROW, "member.name": "Eve", "member.phone": "+41446681800"}
    assert members_of("zurich") == {"ent_1": eve}


def test_a_revert_sets_what_was_before_and_removes_what_was_new(send, members_of):
    send("zurich", "dlv_1")
    send("zurich", "dlv_2", "changed", [renamed("Ada", "Eve")])
    send("zurich", "dlv_3", "changed", [renamed("Ada", "Eve")], reverts={"deliveryId": "dlv_2"})
    assert members_of("zurich") == {"ent_1": ROW}

    send("zurich", "dlv_4", reverts={"deliveryId": "dlv_1"})
    assert members_of("zurich") == {}


def test_a_delivery_that_comes_after_its_revert_changes_nothing(send, members_of):
    send("zurich", "dlv_2", reverts={"deliveryId": "dlv_1"})
    assert send("zurich", "dlv_1") == {"results": []}

    assert members_of("zurich") == {}


def test_a_row_without_a_member_is_refused_in_words_and_the_others_are_stored(send, members_of):
    answer = send("zurich", rows=[ROW, {"member.number": None, "member.name": "Bob"}])

    assert [(item["row"], item["status"]) for item in answer["results"]] == [
        (0, "created"), (1, "refused")
    ]  # fmt: skip
    assert members_of("zurich") == {"ent_1": ROW}


def test_members_that_an_import_outdated_are_read_again(tmp_path, monkeypatch):
    server = Server(Settings("", "", SECRET, tmp_path / "rows.sqlite3"), 0)
    server.server_close()
    answers = [HTTPError("", 409, "", {}, None), HTTPError("", 409, "", {}, None), None]

    def call_engine(*_):
        if (answer := answers.pop(0)) is not None:
            raise answer

    server.store.keep("zurich", json.loads(delivery("zurich")))
    monkeypatch.setattr(server, "call_engine", call_engine)
    server.send_members("zurich")

    assert answers == []


@pytest.fixture
def busy_engine():
    """Return the address of an engine that answers 409 twice, then 200."""
    statuses = [409, 409, 200]

    class Engine(BaseHTTPRequestHandler):
        def do_PUT(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(statuses.pop(0))
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Engine) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
    assert statuses == []


@pytest.mark.filterwarnings("always::ResourceWarning")
def test_a_conflict_leaves_no_connection_open(busy_engine, tmp_path, recwarn):
    server = Server(Settings(busy_engine, "key", SECRET, tmp_path / "rows.sqlite3"), 0)
    server.server_close()
    server.store.keep("zurich", json.loads(delivery("zurich")))

    server.send_members("zurich")
    gc.collect()

    assert [str(warning.message) for warning in recwarn] == []


def test_a_member_that_is_not_there_cannot_be_edited(call):
    assert call("POST", "/zurich/members/ent_9", b"{}")[0] == 404


def test_what_another_signed_is_refused_and_not_stored(call):
    body = delivery("zurich")

    assert call("POST", "/apply", body, **signed(body, "whsec_other"))[0] == 401
    assert call("POST", "/apply", body)[0] == 401
    assert json.loads(call("GET", "/zurich/members")[1]) == {}


def test_a_delivery_without_a_customer_is_verified_and_stored_for_no_one(call):
    body = json.dumps({"deliveryId": "dlv_1", "test": True, "rows": []}).encode()

    assert call("POST", "/apply", body, **signed(body)) == (200, "{}")


def test_a_page_loads_the_widget_and_holds_no_key(call):
    status, page = call("GET", "/zurich")

    assert status == 200
    assert "/elements/service-import.js" in page
    assert "imp_lic_secret" not in page


def test_a_session_that_cannot_be_opened_is_printed_for_the_operator(call, capsys):
    status, content = call("POST", "/zurich/import-session")

    assert (status, json.loads(content)) == (502, {"detail": "The engine opened no session."})
    assert "refused" in capsys.readouterr().out


@pytest.mark.parametrize("path", ["/", "/paris", "/zurich/etc", "/zurich/members/1/2"])
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

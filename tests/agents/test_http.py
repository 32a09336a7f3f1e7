"""``POST mcp``: one address, both revisions of the protocol, the license on every call."""

import json

import pytest
from rest_framework.test import APIClient

from common import clock
from licensing.models import License
from licensing.services import revoke_license
from tests.agents.conftest import ENTITLED, HEADERS, MCP
from tests.imports.conftest import EXAMPLES
from workflow.worker import advance

pytestmark = pytest.mark.django_db
MODERN = {
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
}
ABOUT_CLIENT = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.fixture(autouse=True)
def nothing_waits(monkeypatch) -> None:
    """Skip waiting: no worker runs here."""
    monkeypatch.setattr("agents.sessions.WAIT_S", 0.0)


@pytest.fixture
def caller(owner, client_of, mint_key):
    return client_of(mint_key("tnt_owner", **ENTITLED))


def send(caller, message, **headers):
    body = message if isinstance(message, str | bytes) else json.dumps(message)
    return caller.post(MCP, body, content_type="application/json", headers={**HEADERS, **headers})


def message(method: str, **params) -> dict:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def tool(caller, name: str, **arguments) -> dict:
    return send(caller, message("tools/call", name=name, arguments=arguments)).json()["result"]


def test_a_client_that_initializes_is_served_without_a_session(caller):
    answer = send(
        caller,
        message(
            "initialize",
            protocolVersion="2025-11-25",
            capabilities={},
            clientInfo={"name": "test", "version": "1"},
        ),
    )

    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert "mcp-session-id" not in answer.headers
    assert answer.json()["result"]["serverInfo"]["name"] == "import-engine"
    assert len(send(caller, message("tools/list")).json()["result"]["tools"]) == 15


def test_a_client_of_the_newer_revision_just_asks(caller):
    answer = send(
        caller,
        message("tools/list", _meta=ABOUT_CLIENT),
        **{**MODERN, "mcp-method": "tools/list"},
    )

    assert answer.status_code == 200, answer.content
    result = answer.json()["result"]
    assert len(result["tools"]) == 15
    assert [tool["name"] for tool in result["tools"] if "outputSchema" not in tool] == []
    assert result["ttlMs"] > 0


def test_a_tool_gives_its_answer_twice_as_a_value_and_as_text(caller, publish):
    publish("orders")
    result = tool(caller, "list_catalogs")

    assert result["structuredContent"]["items"][0]["key"] == "orders"
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def test_wrong_arguments_are_an_answer_and_an_unknown_tool_an_error(caller):
    wrong = tool(caller, "resolved_mapping", nope=1)
    unknown = send(caller, message("tools/call", name="drop_tables", arguments={})).json()

    assert wrong["isError"] is True
    assert "structuredContent" not in wrong
    assert unknown["error"]["code"] == -32602


@pytest.mark.parametrize(
    ("accepted", "status"),
    [({}, 200), ({"accept": "*/*"}, 200), ({"accept": "text/html"}, 406)],
)
def test_who_does_not_say_what_they_accept_accepts_json(caller, accepted, status):
    body = json.dumps(message("tools/list"))
    others = {name: text for name, text in HEADERS.items() if name.lower() != "accept"}

    answer = caller.post(MCP, body, content_type="application/json", headers={**others, **accepted})

    assert answer.status_code == status


@pytest.mark.parametrize("method", ["get", "delete", "put", "patch"])
def test_other_methods_are_not_allowed(caller, method):
    answer = getattr(caller, method)(MCP, headers={"accept": "text/event-stream"})

    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("{", -32700),
        ("[]", -32600),
        (json.dumps([message("ping"), message("ping")]), -32600),
        ('{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
        ('"ping"', -32600),
    ],
    ids=["cut off", "nothing", "batch", "another version", "a text"],
)
def test_what_is_not_a_message_is_refused_as_the_protocol_says(caller, body, code):
    answer = send(caller, body)

    assert answer.status_code == 400
    assert answer.json()["error"]["code"] in {code, -32700, -32600, -32602}


def test_a_message_of_too_many_levels_is_refused_before_it_is_read(caller):
    answer = send(caller, "[" * 100_000)

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")


def test_an_unknown_method_is_said_to_be_so(caller):
    assert send(caller, message("tools/nope")).json()["error"]["code"] == -32601


def test_a_notification_is_taken_without_an_answer(caller):
    answer = send(caller, {"jsonrpc": "2.0", "method": "notifications/initialized"})

    assert (answer.status_code, answer.content) == (202, b"")


def test_a_message_of_another_kind_is_refused_in_words(caller):
    answer = caller.post(MCP, "{}", content_type="text/plain", headers=HEADERS)

    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


def test_a_message_that_is_too_large_is_not_read(caller, settings):
    settings.AGENT_BYTES = 1_000

    answer = send(caller, message("tools/call", name="list_catalogs", arguments={"x": "a" * 2_000}))

    assert answer.status_code == 413
    assert answer.json()["code"] == "too_large"


def test_a_message_may_be_larger_than_a_json_body_of_the_api(caller, settings):
    content = "a,b\n" + "1,2\n" * (settings.MAX_JSON_BYTES // 4)

    assert tool(caller, "analyze_file", text=content)["structuredContent"]["state"] == "reading"


@pytest.mark.parametrize("key", [None, "wrong", "imp_lic_a.b.c"])
def test_without_an_accepted_key_no_caller_is_served(engine_with_key, key):
    client = APIClient()
    if key is not None:
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")

    answer = send(client, message("tools/list"))

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_an_expired_key_is_not_served(client_of, mint_key):
    key = mint_key(issued_at=1_700_000_000)

    answer = send(client_of(key), message("tools/list"))

    assert (answer.status_code, answer.json()["code"]) == (401, "license_expired")


def test_a_key_that_is_revoked_between_two_calls_is_not_served_again(caller):
    assert send(caller, message("tools/list")).status_code == 200
    revoke_license(license=License.objects.get(), reason="test", at=clock.now())

    answer = send(caller, message("tools/list"))

    assert (answer.status_code, answer.json()["code"]) == (401, "license_revoked")


def test_a_staff_session_is_not_an_agent(owner, django_user_model):
    from licensing.models import Membership

    user = django_user_model.objects.create_superuser("ada", password="x")
    Membership.objects.create(user=user, tenant=owner, role="editor")
    client = APIClient()
    client.force_login(user)
    client.credentials(HTTP_X_IMPORT_TENANT="tnt_owner")

    assert send(client, message("tools/list")).status_code == 401


class TestOrigin:
    def test_a_foreign_page_is_refused(self, caller):
        answer = send(caller, message("tools/list"), origin="https://evil.example")

        assert (answer.status_code, answer.json()["code"]) == (403, "origin_not_allowed")

    @pytest.mark.parametrize("origin", [None, "http://testserver"])
    def test_no_page_and_the_engines_own_are_served(self, caller, settings, origin):
        settings.ALLOWED_HOSTS = ["testserver"]
        headers = {} if origin is None else {"origin": origin}

        assert send(caller, message("tools/list"), **headers).status_code == 200

    def test_a_page_that_the_operator_named_is_served(self, caller, settings):
        settings.ALLOWED_ORIGINS = ("https://shop.example",)

        answer = send(caller, message("tools/list"), origin="https://shop.example")

        assert answer.status_code == 200

    def test_a_page_that_the_key_names_is_served_and_no_other(self, owner, client_of, mint_key):
        page = client_of(mint_key("tnt_owner", origins=("https://shop.example",)))

        theirs = send(page, message("tools/list"), origin="https://shop.example")
        another = send(page, message("tools/list"), origin="https://evil.example")

        assert (theirs.status_code, another.status_code) == (200, 403)


def test_who_acts_is_named_as_claimed(caller, publish):
    publish("orders")
    made = tool(caller, "propose_mapping", text="Artikel,Menge\nA,1\n", catalogKey="orders")
    record_id = made["structuredContent"]["recordId"] if "structuredContent" in made else ""
    if not record_id:
        record_id = caller.get("/api/import/v1/imports").json()["items"][0]["recordId"]

    events = caller.get(f"/api/import/v1/imports/{record_id}/history").json()["items"]

    assert events[0]["actor"]["kind"] == "agent"


class TestParity:
    """HTTP and tools give the same values about the same file."""

    @pytest.fixture
    def record_id(self, publish, caller, client) -> str:
        publish("orders")
        with (EXAMPLES / "orders-cp1252.csv").open("rb") as file:
            made = client.post("/api/import/v1/imports", {"file": file, "autoMap": "true"}).json()
        advance(made["recordId"])
        return made["recordId"]

    def rest(self, client, path: str) -> dict:
        return client.get(f"/api/import/v1/{path}").json()

    def test_of_its_tables(self, caller, client, record_id):
        rest = self.rest(client, f"imports/{record_id}/tables")
        analysis = tool(caller, "analyze_file", recordId=record_id)["structuredContent"]
        tables = [{**table} for table in analysis["tables"]]
        for table in tables:
            table.pop("columnCount")

        assert tables == rest["tables"]
        assert analysis["chosen"] == rest["chosen"]

    def test_of_its_mapping(self, caller, client, record_id):
        rest = self.rest(client, f"imports/{record_id}/mapping")
        mapping = tool(caller, "resolved_mapping", recordId=record_id)["structuredContent"]

        assert {name: mapping[name] for name in rest} == rest

    def test_of_its_rows_and_issues(self, caller, client, record_id):
        about = {"view": {"filter": "all"}, "limit": 200}
        path = f"/api/import/v1/imports/{record_id}/rows/query"
        rest = client.post(path, about, format="json").json()
        dry_run = tool(caller, "dry_run_transform", recordId=record_id, limit=200)[
            "structuredContent"
        ]

        assert dry_run["rows"] == rest["rows"]
        assert dry_run["total"] == rest["total"]
        issues = self.rest(client, f"imports/{record_id}/issues")["issues"]
        assert dry_run["issues"] == issues

    def test_of_its_questions(self, caller, client, publish):
        publish("stock")
        with (EXAMPLES / "stock-two-sheets.xlsx").open("rb") as file:
            about = {"file": file, "autoMap": "true", "catalogKey": "stock"}
            record_id = client.post("/api/import/v1/imports", about).json()["recordId"]
        advance(record_id)
        rest = self.rest(client, f"imports/{record_id}/questions?state=open")
        questions = tool(caller, "list_questions", recordId=record_id)["structuredContent"]

        assert questions["items"] == rest["items"] != []

    def test_of_the_import_and_its_delivered_rows(self, caller, client, record_id):
        about = {"applyMode": "browser", "invalidRows": "exclude", "openQuestions": "dismiss"}
        made = tool(caller, "execute_import", recordId=record_id, **about)["structuredContent"]
        advance(record_id)
        results = self.rest(client, f"imports/{record_id}/results?limit=200")
        changeset = tool(caller, "get_changeset", changesetId=made["changeset"]["id"], limit=200)

        assert changeset["structuredContent"]["rows"] == results["items"]
        assert made["import"]["recordId"] == record_id
        assert set(made["import"]) == set(self.rest(client, f"imports/{record_id}"))

    def test_of_the_catalogs(self, caller, client, publish):
        publish("orders")
        rest = self.rest(client, "catalogs")["items"]
        catalogs = tool(caller, "list_catalogs")["structuredContent"]["items"]

        assert [{name: item[name] for name in rest[0]} for item in catalogs] == rest

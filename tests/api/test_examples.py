"""Every operation shows a request and an answer, recorded from calls that were really made."""

import json
import os
import re
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

import api
from common import clock
from deliveries.models import Delivery
from feeds import runs
from imports.models import ImportRecord
from licensing.models import Tenant
from staging.edits import preparation
from tests.api.documented import openapi_document
from tests.api.test_links import IMPORT, Walk, exchange
from tests.feeds.folder_source import FolderSource
from tests.importengine.analytics_rows import add_header, add_imports
from tests.tabular.reading.test_unlocking import PASSWORD, aes_zip
from workflow import tasks
from workflow.worker import advance

pytestmark = pytest.mark.django_db
EXAMPLES = Path(api.__file__).parent / "examples.json"
BINARY = {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
PRICE_LIST = Path(api.__file__).parents[1] / "examples" / "price-list.pdf"
SHOWN_CHARACTERS = 2_000  # of an answer that is a file
MASKS = {
    r"imp_tok_[\w-]+": "imp_tok_shown_once",
    r"whsec_[\w+/=-]+": "whsec_shown_once",
    r'"token": "[^"]+"': '"token": "shown_once"',
    r"/i/[\w-]{43}": "/i/shown_once",
    r'"code": "\d{6}"': '"code": "123456"',
    r'"image": "[^"]+"': '"image": "iVBORw0KGgo="',
}
OPTIONS = [{"label": text, "type": "string", "value": text} for text in ("open", "paid")]
KNOWN = {"entity": "customer", "matchOn": ["name"], "cardinality": "one", "onMissing": "error"}
CATALOG = {
    "key": "shop",
    "entries": [
        {
            "id": "order",
            "fields": [
                {"key": "number", "columnType": "string", "required": True},
                {"key": "day", "columnType": "date"},
                {"key": "customer", "columnType": "string", "reference": KNOWN},
                {"key": "status", "columnType": "category", "dropdownOptions": OPTIONS},
            ],
        }
    ],
}
ORDERS = (
    "number,day,customer,status\nA1,03/02/2026,Ada,open\nA2,04/02/2026,Ada,done\n"
    "A3,05/02/2026,Bob,paid\nTotal,,,\n"
)


class Recorder:
    """A client that calls operations by their names, and keeps the first exchange of each."""

    def __init__(self, document, client) -> None:
        self.operations = {
            operation["operationId"]: (method, path)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        }
        self.client = client
        self.exchanges = {}

    def __call__(self, name, body=None, *, query="", form=None, content=None, **places):
        method, path = self.operations[name]
        sent = {} if body is None else {"data": body, "format": "json"}
        if form is not None:
            sent = {"data": form, "format": "multipart"}
        if content is not None:
            sent = {"data": content, "content_type": "application/octet-stream"}
        answer = getattr(self.client, method)(path.format(**places) + query, **sent)
        assert 200 <= answer.status_code < 300, (name, getattr(answer, "content", answer))
        kind = answer.get("Content-Type", "").partition(";")[0]
        raw = b"".join(answer.streaming_content) if answer.streaming else answer.content
        answered = raw
        if kind.endswith("json"):
            answered = json.loads(raw)
        elif kind and kind not in BINARY:
            answered = raw.decode("utf-8-sig")[:SHOWN_CHARACTERS]
        example = body if form is None else {name: _shown(part) for name, part in form.items()}
        example = example if content is None else content.decode("utf-8", "replace")
        kept = None if kind in BINARY or not raw else answered
        self.exchanges.setdefault(name, exchange(example, answer.status_code, kept))
        return answered


def _shown(part):
    if not hasattr(part, "read"):
        return part
    part.seek(0)
    return part.read().decode("utf-8-sig")


@pytest.fixture(scope="module")
def document() -> dict:
    return openapi_document()


@pytest.fixture
def make(settings, document, client_of, mint_key) -> Recorder:
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    client = client_of(mint_key(entitlements=("catalogEditor", "feeds", "hostedLinks")))
    client.credentials(**client._credentials, HTTP_ACCEPT="application/json, */*")  # as MCP asks
    return Recorder(document, client)


def imported(make, **about) -> str:
    body = {"catalogKey": "shop", "filename": "orders.csv", "text": ORDERS, "autoMap": True}
    record_id = make("imports_create", body | about)["recordId"]
    advance(record_id)
    return record_id


def catalogs(make) -> None:
    make("verifyLicense")
    make("saveDraft", CATALOG, key="shop")
    make("getDraft", key="shop")
    make("publishCatalog", {}, key="shop")
    for name in ("getCatalog", "listCatalogVersions"):
        make(name, key="shop")
    make("saveCatalogSample", form={"file": SimpleUploadedFile("a.csv", b"number\n")}, key="shop")
    make("getCatalogSample", key="shop")
    make("getCatalogTemplate", key="shop")
    make("deleteCatalogSample", key="shop")
    make("getCatalogVersion", key="shop", number=1)
    make("listCatalogs")
    make("saveDraft", {**CATALOG, "title": "Shop orders"}, key="shop")
    make("getCatalogChanges", key="shop")
    make("listCatalogStandings")
    make("publishCatalog", {"note": "Another title"}, key="shop")
    make("getCatalogSchema")


def trials(make) -> None:
    stock = "sku,stock\nA-1,5\nA-2,7\n"
    tried = make("inferCatalog", {"text": stock, "filename": "stock.csv"})["recordId"]
    advance(tried)
    make("getInferredCatalog", record_id=tried)
    make("detectColumns", {"recordId": tried, "detector": {"kind": "regex", "pattern": "^A-"}})
    make("listConfirmedNames", key="shop")
    make("exportCatalog", key="shop")
    make("getCatalogTypes", key="shop", query="?lang=ts")
    properties = {"sku": {"type": "string"}, "stock": {"type": "integer", "minimum": 0}}
    schema = {"title": "Stock", "properties": properties, "required": ["sku"]}
    make("convertCatalog", {"jsonSchema": schema})
    make("saveDraft", CATALOG, key="shop")
    test = {"text": ORDERS, "filename": "orders.csv"}
    tested = make("testDraft", test, key="shop")["recordId"]
    advance(tested)
    make("getTestedDraft", key="shop", record_id=tested)
    kept = make("keepTest", {"recordId": tested, "name": "orders.csv"}, key="shop")
    for item in make("runKeptTests", key="shop")["items"]:
        advance(item["last"]["recordId"])
    make("listKeptTests", key="shop")
    advance(make("lookAtRows", key="shop")["recordId"])
    expected = {"expected": kept["last"]["got"]}
    make("expectOfTest", expected, key="shop", test_id=kept["id"])
    gains(make)
    make("dropTest", key="shop", test_id=kept["id"])


def gains(make) -> None:
    owner = Tenant.objects.get(public_id="tnt_owner")
    add_imports(owner, "shop")
    add_header(owner, "Order ref", "order.number", 14, "shop")
    make("testProposals", key="shop")
    advance(ImportRecord.objects.latest("pk").public_id)
    (item,) = make("getCatalogAnalytics", key="shop")["proposals"]["items"]
    make("addProposals", {"proposals": [item["id"]]}, key="shop")


def sessions(make) -> None:
    opened = make("sessions_create", {"catalogKey": "shop", "scope": "acme"})["id"]
    make("sessions_list")
    make("sessions_read", session_id=opened)
    make("sessions_end", session_id=opened)


def links(make) -> None:
    page = {"name": "Northwind", "text": "Send your orders of May.", "language": "en"}
    wanted = {"catalogKey": "shop", "scope": "acme", "page": page, "withCode": True}
    created = make("links_create", wanted)["id"]
    make("links_list")
    make("links_read", link_id=created)
    make("links_revoke", link_id=created)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Replace the server of a feed by a folder with a file, which is taken at the first look."""
    folder = tmp_path / "place"
    folder.mkdir()
    (folder / "orders-48.csv").write_text(ORDERS, "utf-8")
    monkeypatch.setattr("feeds.runs.connected", lambda feed, **_: FolderSource(folder))
    monkeypatch.setattr("feeds.services.connected", lambda feed: FolderSource(folder))
    monkeypatch.setattr("feeds.files.STABLE_FOR", timedelta())
    return folder


def feeds(make) -> None:
    wanted = {
        "name": "Orders of Acme",
        "kind": "sftp",
        "catalogKey": "shop",
        "scope": "acme",
        "settings": {"host": "files.example.com", "user": "engine", "pattern": "orders-*.csv"},
        "secret": {"password": "not shown"},
        "schedule": "0 6 * * 1",
        "timeZone": "Europe/Berlin",
        "rules": {"apply": True, "maxInvalidPercent": 1, "maxMissingPercent": 5},
    }
    created = make("feeds_create", wanted)["id"]
    make("feeds_test", feed_id=created)
    make("feeds_run", feed_id=created)
    assert runs.run_next()
    make("feeds_runs", feed_id=created)
    make("feeds_read", feed_id=created)
    make("feeds_list")
    make("feeds_change", {"schedule": "0 6 * * 1-5"}, feed_id=created)
    make("feeds_pause", feed_id=created)
    make("feeds_resume", feed_id=created)
    make("feeds_delete", feed_id=created)


def contracts(make) -> None:
    issued = make("contracts_create", {"catalogKey": "shop", "title": "Orders"})["contractId"]
    make("contracts_list")
    bundle = make("contracts_read", contract_id=issued)
    make("contracts_diff", contract_id=issued, other_id=issued)
    make("contracts_verify", bundle)
    check = make("contracts_check", {"contractId": issued, "text": ORDERS})["checkId"]
    advance(check)
    make("contracts_check_read", check_id=check)
    make("contracts_schema")
    make("contracts_keys", query="?tenant=tnt_owner")
    make("saveDraftFromContract", bundle, key="copied")
    make("getDraftImpact", key="copied")
    fresh = make("contracts_keys_rotate")["keyId"]
    make("contracts_keys_revoke", key_id=fresh)


def entities(make) -> None:
    items = [{"ref": "1", "values": {"name": "Ada"}}, {"ref": "2", "values": {"name": "Bob"}}]
    make("references_upsert", {"items": items}, entity="customer")
    make("references_list", entity="customer")
    make("value_lists_put", {"rows": [["DE", "Germany"], ["CH", "Switzerland"]]}, key="countries")
    make("value_lists_read", key="countries")
    make("value_lists_delete", key="countries")
    make("references_names")


def webhooks(make) -> None:
    hook = {"url": "http://127.0.0.1:9/apply", "label": "Webshop"}
    made = make("webhooks_create", hook)["id"]
    make("webhooks_list")
    make("webhooks_read", webhook_id=made)
    make("webhooks_rotate_create", {}, webhook_id=made)
    make("webhooks_test_create", {}, webhook_id=made)


def questions(make) -> str:
    record_id = imported(make)
    make("imports_list")
    items = make("questions_list", record_id=record_id)["items"]
    first = items[0]
    make("questions_read", question_id=first["id"])
    chosen = {"value": first["candidates"][0]["value"], "remember": True}
    tried = f"?value={quote(json.dumps(chosen['value']))}&limit=5"
    make("questions_preview", query=tried, record_id=record_id, question_id=first["id"])
    make("questions_answer", chosen, question_id=first["id"])
    advance(record_id)
    make("imports_values_retrieve", record_id=record_id, field="order.status")
    values = {"values": {"done": "paid"}, "remember": True}
    make("imports_values_update", values, record_id=record_id, field="order.status")
    advance(record_id)
    other = imported(make)
    items = make("questions_list", record_id=other)["items"]
    make("questions_dismiss", question_id=items[0]["id"])
    advance(other)
    make("questions_accept", record_id=other)
    make("questions_dismiss_all", record_id=other)
    advance(other)
    make("imports_cancel_create", record_id=other)
    return record_id


def reading(make) -> None:
    size = len(ORDERS.encode())
    announced = {"catalogKey": "shop", "filename": "orders.csv", "size": size}
    record_id = make("imports_create", announced)["recordId"]
    make("imports_file_put", content=ORDERS.encode(), record_id=record_id)
    advance(record_id)
    make("imports_tables_retrieve", record_id=record_id)
    make("imports_left_out", record_id=record_id)
    make("imports_catalog", record_id=record_id)
    make("imports_take_back", {"takeBack": []}, record_id=record_id)
    advance(record_id)
    make("imports_reading_update", {"headerRows": [0]}, record_id=record_id)
    advance(record_id)
    page(make)
    broken = make("imports_create", {"catalogKey": "shop", "text": "%PDF-1.7 broken"})["recordId"]
    advance(broken)
    make("imports_retry_create", record_id=broken)
    make("imports_steps_create", {"step": "table", "seconds": 4.2}, record_id=record_id)
    about = {"catalogKey": "shop", "filename": "orders.zip", "size": len(content := aes_zip())}
    protected = make("imports_create", about)["recordId"]
    make("imports_file_put", content=content, record_id=protected)
    advance(protected)
    make("imports_password_create", {"password": PASSWORD}, record_id=protected)


def page(make) -> None:
    content = PRICE_LIST.read_bytes()
    about = {"catalogKey": "shop", "filename": "prices.pdf", "size": len(content)}
    record_id = make("imports_create", about)["recordId"]
    make("imports_file_put", content=content, record_id=record_id)
    advance(record_id)
    make("imports_page_retrieve", record_id=record_id, table=0, page=1)


def review(make, record_id) -> None:
    proposed = make("imports_mapping_retrieve", record_id=record_id)["proposed"]["mapping"]
    settled = {"mapping": proposed, "remember": True}
    upper = {"do": "case", "columns": [next(iter(proposed))], "to": "upper"}
    tried = {"mapping": proposed, "recipe": {"version": 1, "steps": [upper]}}
    make("imports_mapping_preview", tried, record_id=record_id)
    make("imports_mapping_update", settled, record_id=record_id)
    advance(record_id)
    make("imports_references", record_id=record_id)
    make("imports_plan", record_id=record_id)
    seen = {"revision": make("imports_rows_query_create", {}, record_id=record_id)["revision"]}
    edit = {"row": 0, "field": "order.number", "text": "A-1"}
    for name, body in {
        "imports_rows_partial_update": {"edits": [edit]},
        "imports_rows_replace_create": {"inFields": ["order.number"], "find": "A", "replace": "B"},
        "imports_rows_fix_create": {"field": "order.day", "code": "not_a_date", "exclude": True},
        "imports_undo_create": {},
        "imports_redo_create": {},
    }.items():
        seen = {"revision": make(name, seen | body, record_id=record_id)["revision"]}
    seen = {"revision": by_worker(make, record_id, seen)["revision"]}
    make("imports_rows_explain_retrieve", record_id=record_id, row=0)
    make("imports_issues_retrieve", record_id=record_id)
    make("imports_issues_fixes", record_id=record_id)
    make("imports_duplicates", query="?by=all", record_id=record_id)
    same = {"revision": seen["revision"], "by": "all", "keep": "first", "preview": True}
    make("imports_duplicates_resolve", same, record_id=record_id)
    make("imports_rows_lost_retrieve", record_id=record_id)
    make("imports_rows_lost_destroy", record_id=record_id)


def by_worker(make, record_id, seen) -> dict:
    """Replace as a worker does in a large table: once cancelled, and once to the end."""
    body = {**seen, "inFields": ["order.number"], "find": "B", "replace": "C"}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(preparation, "MAX_OVERLAY", 0)
        for goes_on in (False, True):
            change = make("imports_rows_replace_create", body, record_id=record_id)["changeId"]
            if not goes_on:
                make("imports_rows_change_cancel", record_id=record_id, change_id=change)
        tasks.make_change("")
    return make("imports_rows_change_read", record_id=record_id, change_id=change)


def correct(make, tmp_path) -> None:
    record_id = imported(make, text=ORDERS.replace("05/02/2026", "soon"))
    exported = make("imports_export", query="?rows=all&format=csv", record_id=record_id)
    file = tmp_path / "corrected.csv"
    file.write_text(exported.replace("soon", "2026-02-05"), "utf-8")
    with file.open("rb") as handle:
        made = make("imports_corrections_create", form={"file": handle}, record_id=record_id)
    places = {"record_id": record_id, "correction_id": made["correctionId"]}
    advance(made["correctionId"])
    make("imports_corrections_read", **places)
    make("imports_corrections_confirm", **places)


def applying(make, record_id) -> None:
    staged = {"invalidRows": "exclude", "openQuestions": "dismiss", "staged": True}
    for last in ("changesets_discard_create", "changesets_apply_create"):
        make("imports_apply_create", staged, record_id=record_id)
        advance(record_id)
        changeset = make("changesets_list")["items"][0]["id"]
        make("changesets_read", changeset_id=changeset)
        make("changesets_rows", changeset_id=changeset)
        make("changesets_references", changeset_id=changeset)
        make(last, changeset_id=changeset)
    advance(record_id)
    make("imports_retrieve", record_id=record_id)
    make("imports_results_retrieve", record_id=record_id)
    make("changesets_proof", changeset_id=changeset)
    make("imports_receipt", record_id=record_id)
    make("imports_history", record_id=record_id)
    delivery = make("deliveries_list")["items"][0]["id"]
    make("deliveries_read", delivery_id=delivery)
    settled = {"due_at": None, "settled_at": clock.now()}
    Delivery.objects.update(state="rejected", **settled)  # as by a host that answered 400
    make("deliveries_redeliver_create", {"reverted": "send"}, delivery_id=delivery)
    Delivery.objects.update(state="rejected", **settled)
    make("deliveries_resend", {"maxRowsPerDelivery": 100}, delivery_id=delivery)
    Delivery.objects.update(state="delivered", **settled)
    make("changesets_revert_create", {"force": True}, changeset_id=changeset)
    browser = imported(make)
    make(
        "imports_apply_create",
        {**staged, "applyMode": "browser", "staged": False},
        record_id=browser,
    )
    advance(browser)
    make("imports_results_ack_create", record_id=browser)


def forgetting(make, record_id) -> None:
    profile = make("profiles_list")["items"][0]["id"]
    make("profiles_read", profile_id=profile)
    make("profiles_delete", profile_id=profile)
    answer = make("answers_list")["items"][0]["id"]
    make("answers_read", answer_id=answer)
    make("answers_forget", answer_id=answer)
    make("imports_destroy", record_id=record_id)
    make("references_delete", entity="customer")
    make("webhooks_delete", webhook_id=make("webhooks_list")["items"][0]["id"])
    make("restoreCatalogVersion", key="shop", number=1)
    make("retireCatalog", {}, key="shop")


@pytest.mark.usefixtures("place")
def test_every_operation_has_an_example_of_a_call_that_was_made(make, document, tmp_path):
    walk = Walk(document, make.client)
    for name in IMPORT.split():
        walk.go(name)
    catalogs(make)
    trials(make)
    sessions(make)
    links(make)
    contracts(make)
    entities(make)
    webhooks(make)
    record_id = questions(make)
    reading(make)
    review(make, record_id)
    correct(make, tmp_path)
    applying(make, record_id)
    feeds(make)
    forgetting(make, record_id)
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    make("mcp", ping)
    make("events_list")
    made = make.exchanges | {
        name: exchanges for name, exchanges in walk.exchanges.items() if len(exchanges) > 1
    }
    if "WRITE_EXAMPLES" in os.environ:
        text = json.dumps(dict(sorted(made.items())), indent=1, ensure_ascii=False) + "\n"
        for secret, mask in MASKS.items():
            text = re.sub(secret, mask, text)
        EXAMPLES.write_text(text, "utf-8")

    written = json.loads(EXAMPLES.read_text("utf-8"))

    assert sorted(made) == sorted(make.operations)
    assert written.keys() == made.keys(), "WRITE_EXAMPLES=1 writes them again"
    assert {n: item.keys() for n, item in written.items()} == {n: o.keys() for n, o in made.items()}

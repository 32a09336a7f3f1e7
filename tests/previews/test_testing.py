"""A draft is tested with a file against the published version; kept files block a publish."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from catalogs.models import CatalogVersion, RegressionFile
from catalogs.outcomes import differences
from common import clock, storage
from common.actors import ENGINE
from importengine.erasure import erase_tenant
from imports.models import ImportRecord
from licensing.models import Tenant
from tests.previews.conftest import V1
from workflow.retention import sweep_files
from workflow.worker import advance

CATALOGS = f"{V1}/catalogs"
LIMIT = {"validate": "compare", "op": "lte", "value": 100}
ORDERS = "Nummer;Betrag;Mail;Notiz\nA1;50,00;a@b.de;x\nA2;80,00;keine;\nA3;120,00;;\n"


def catalog(limit=100, **more):
    return {
        "entries": [
            {
                "id": "order",
                "fields": [
                    {"key": "number", "label": "Nummer", "required": True},
                    {
                        "key": "amount",
                        "label": "Betrag",
                        "columnType": "float",
                        "validations": [{**LIMIT, "value": limit}],
                    },
                    {"key": "mail", "label": "Mail", "columnType": "email"},
                ],
            }
        ],
        **more,
    }


@pytest.fixture
def save(editor):
    def save(document=None, key="orders"):
        return editor.put(f"{CATALOGS}/{key}/draft", document or catalog(), format="json")

    return save


@pytest.fixture
def published(save, editor):
    save()
    return editor.post(f"{CATALOGS}/orders/publish").json()


@pytest.fixture
def keep(tried, editor):
    """Return a function that stores a text as a test file of the catalog."""

    def keep(name="orders.csv", text=ORDERS, **members):
        record_id = tried("orders/draft/test", text, filename=name)["recordId"]
        body = {"recordId": record_id, "name": name, **members}
        return editor.post(f"{CATALOGS}/orders/tests", body, format="json")

    return keep


@pytest.fixture
def run(editor):
    """Return a function that runs the kept tests in this process; returns them."""

    def run():
        made = editor.post(f"{CATALOGS}/orders/tests/run")
        assert made.status_code == 202, made.content
        for item in made.json()["items"]:
            advance(item["last"]["recordId"])
        return editor.get(f"{CATALOGS}/orders/tests").json()["items"]

    return run


def test_a_file_shows_what_the_draft_changes(tried, published, save):
    save(catalog(limit=60))

    preview = tried("orders/draft/test", ORDERS, filename="orders.csv")

    assert (preview["state"], preview["rows"], preview["problem"]) == ("checked", 3, None)
    report = preview["report"]
    assert (report["draftVersion"], report["publishedVersion"]) == (2, 1)
    columns = {column["column"]: column for column in report["columns"]}
    assert columns["Betrag"]["field"] == "order.amount"
    assert (columns["Betrag"]["errors"], columns["Betrag"]["fits"]) == (2, pytest.approx(1 / 3))
    assert columns["Betrag"]["publishedFits"] == pytest.approx(2 / 3)
    assert (columns["Mail"]["empty"], columns["Mail"]["fits"]) == (1, 0.5)
    assert (columns["Notiz"]["field"], columns["Notiz"]["fits"]) == (None, None)
    issues = {issue["field"]: issue for issue in report["issues"]}
    assert (issues["order.amount"]["draft"], issues["order.amount"]["published"]) == (2, 1)
    assert issues["order.amount"]["example"] == {
        "row": 3, "value": "80,00", "message": "“80,00” must be at most 60.",
        "hint": "A value that is at most 60.",
    }  # fmt: skip
    assert report["counts"]["draft"]["errors"] == 3
    assert report["counts"]["published"]["errors"] == 2


def test_where_nothing_is_published_the_draft_is_tested_alone(tried, save):
    save()

    report = tried("orders/draft/test", ORDERS)["report"]

    assert (report["publishedVersion"], report["counts"]["published"]) == (None, None)
    assert report["issues"][0]["published"] is None


def test_a_column_that_is_asked_about_has_no_field_yet(tried, save):
    document = catalog()
    document["entries"][0]["fields"] += [
        {"key": key, "label": label, "columnType": "date"}
        for key, label in (("starts", "Beginn"), ("ends", "Ende"))
    ]
    save(document)

    report = tried("orders/draft/test", "Nummer;Datum\nA1;31.12.2025\nA2;30.12.2025\n")["report"]

    day = next(column for column in report["columns"] if column["column"] == "Datum")
    assert day["field"] is None
    assert {"order.starts", "order.ends"} <= set(day["question"]["candidates"])


def test_a_file_that_is_not_such_a_table_misses_the_required_fields(tried, save):
    save()

    report = tried("orders/draft/test", "Farbe;Form\nrot;rund\nblau;eckig\n")["report"]

    assert report["missing"] == ["order.number"]
    assert report["issues"] == []


def test_a_draft_that_is_not_there_or_wrong_is_not_tested(editor, save):
    missing = editor.post(f"{CATALOGS}/orders/draft/test", {"text": "a"}, format="json")
    save({"entries": [{"id": "order", "fields": [{"key": "a"}, {"key": "a"}]}]})
    wrong = editor.post(f"{CATALOGS}/orders/draft/test", {"text": "a"}, format="json")

    assert (missing.status_code, missing.json()["code"]) == (404, "unknown_catalog")
    assert (wrong.status_code, wrong.json()["code"]) == (409, "catalog_invalid")
    assert wrong.json()["errors"][0]["pointer"] == "/entries/0/fields/1/key"


def test_a_draft_that_goes_while_its_file_waits_is_a_problem(editor, save, published):
    save(catalog(limit=60))
    made = editor.post(f"{CATALOGS}/orders/draft/test", {"text": ORDERS}, format="json")
    editor.post(f"{CATALOGS}/orders/publish")

    advance(made.json()["recordId"])

    preview = editor.get(made["Location"]).json()
    assert (preview["state"], preview["problem"]["code"]) == ("failed", "no_draft")


def test_a_kept_file_that_fails_stops_a_publish_until_it_is_confirmed(keep, run, save, editor):
    save()
    kept = keep()
    assert (kept.status_code, kept.json()["last"]["state"]) == (201, "passes")
    save(catalog(limit=60))

    stale = editor.post(f"{CATALOGS}/orders/publish")
    (test,) = run()
    failing = editor.post(f"{CATALOGS}/orders/publish")
    confirmed = editor.post(
        f"{CATALOGS}/orders/publish", {"confirm": ["orders.csv"]}, format="json"
    )

    assert (stale.status_code, stale.json()["code"]) == (409, "tests_not_run")
    assert stale.json()["tests"] == ["orders.csv"]
    assert test["last"]["state"] == "fails"
    assert test["last"]["differences"] == [
        "Expected 1 error in order.amount (compare), got 2 errors."
    ]
    assert (failing.status_code, failing.json()["code"]) == (409, "failing_tests")
    assert failing.json()["errors"] == [
        {"test": "orders.csv", "detail": test["last"]["differences"][0]}
    ]
    assert confirmed.status_code == 200


def test_what_a_file_gave_can_be_expected_from_now_on(keep, run, save, editor):
    save()
    keep()
    save(catalog(limit=60))
    (test,) = run()

    address = f"{CATALOGS}/orders/tests/{test['id']}"
    changed = editor.put(address, {"expected": test["last"]["got"]}, format="json")

    assert changed.json()["last"]["state"] == "passes"
    assert editor.post(f"{CATALOGS}/orders/publish").status_code == 200


def test_a_changed_draft_makes_a_run_stale_again(keep, run, save, editor):
    save()
    keep()
    assert editor.post(f"{CATALOGS}/orders/publish").status_code == 200
    save(catalog(limit=60, title="Other"))
    run()
    save(catalog(limit=60, title="Another"))

    assert editor.post(f"{CATALOGS}/orders/publish").json()["code"] == "tests_not_run"
    all_at_once = editor.post(f"{CATALOGS}/orders/publish", {"confirm": ["tests"]}, format="json")
    assert all_at_once.status_code == 200


def test_a_file_that_must_not_be_read_is_kept_too(keep, run, save, editor):
    save()
    kept = keep("not-a.pdf", "%PDF-1.7 broken").json()

    (test,) = run()

    assert kept["expected"]["problem"] == "malformed"
    assert (test["last"]["state"], test["running"]) == ("passes", False)
    assert editor.post(f"{CATALOGS}/orders/publish").status_code == 200


def test_the_bytes_of_a_kept_file_outlive_its_trial_and_go_with_it(keep, editor, save):
    save()
    kept = keep().json()
    test = RegressionFile.objects.get(public_id=kept["id"])
    ImportRecord.objects.all().delete()
    sweep_files()
    assert b"".join(storage.stream(test.file)).decode() == ORDERS

    assert editor.delete(f"{CATALOGS}/orders/tests/{test.public_id}").status_code == 204

    assert not storage.local_path(test.file).exists()
    assert editor.get(f"{CATALOGS}/orders/tests").json()["items"] == []


def test_kept_files_go_when_their_tenant_is_erased(keep, save):
    save()
    test = RegressionFile.objects.get(public_id=keep().json()["id"])
    tenant = Tenant.objects.get(public_id="tnt_owner")

    erase_tenant(tenant=tenant, actor=ENGINE, at=clock.now())

    assert not RegressionFile.objects.exists()
    assert not storage.local_path(test.file).exists()


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"name": "x"}, 400, "invalid_request"),
        ({"recordId": "rec_none", "name": "x"}, 404, "unknown_trial"),
        ({"recordId": "GIVEN", "name": "orders.csv"}, 409, "name_taken"),
        ({"recordId": "GIVEN", "name": ""}, 400, "invalid_request"),
        ({"recordId": "GIVEN", "name": "y", "expected": {"more": 1}}, 400, "invalid_request"),
    ],
)
def test_what_cannot_be_kept_says_so(keep, save, editor, body, status, code):
    save()
    first = keep().json()
    body = {n: first["last"]["recordId"] if v == "GIVEN" else v for n, v in body.items()}

    answer = editor.post(f"{CATALOGS}/orders/tests", body, format="json")

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert len(list(storage.root().glob("sources/*"))) == 2  # the trial's and the kept one's


def test_a_file_under_test_is_not_kept_yet(save, editor):
    save()
    made = editor.post(f"{CATALOGS}/orders/draft/test", {"file": io.BytesIO(b"a;b\n1;2\n")}).json()

    body = {"recordId": made["recordId"], "name": "x"}
    answer = editor.post(f"{CATALOGS}/orders/tests", body, format="json")

    assert answer.json()["code"] == "not_tried_yet"


def test_another_tenant_sees_and_runs_nothing(keep, save, stranger):
    save()
    kept = keep().json()
    stranger.put(f"{CATALOGS}/orders/draft", catalog(), format="json")

    body = {"recordId": kept["last"]["recordId"], "name": "x"}
    assert stranger.get(f"{CATALOGS}/orders/tests").json()["items"] == []
    assert stranger.delete(f"{CATALOGS}/orders/tests/{kept['id']}").status_code == 404
    assert stranger.post(f"{CATALOGS}/orders/tests", body, format="json").status_code == 404
    record = f"{CATALOGS}/orders/draft/test/{kept['last']['recordId']}"
    assert stranger.get(record).json()["code"] == "unknown_trial"


def test_the_command_is_stopped_by_a_failing_file_until_it_is_confirmed(keep, save, tmp_path):
    save()
    keep()
    file = tmp_path / "orders.json"
    file.write_text(json.dumps(catalog(limit=1)))
    publish = ["catalog", "publish", str(file), "--key", "orders", "--tenant", "tnt_owner"]

    with pytest.raises(CommandError, match="were not run with this draft"):
        call_command(*publish, "--replace-draft")
    call_command(*publish, "--confirm", "tests")

    assert CatalogVersion.objects.get(catalog__key="orders").state == "published"


NOTHING = {"problem": None, "columns": {}, "missing": [], "issues": [], "questions": 0}


@pytest.mark.parametrize(
    ("expected", "got", "message"),
    [
        ({}, {}, []),
        ({"columns": {"a": "e.a"}}, {}, ["The column “a” is no longer mapped to e.a."]),
        ({}, {"columns": {"a": "e.a"}}, ["The column “a” is now mapped to e.a."]),
        ({"columns": {"a": None}}, {}, []),
        (
            {"columns": {"a": "e.a"}},
            {"columns": {"a": "e.b"}},
            ["The column “a” is mapped to e.b instead of e.a."],
        ),
        ({}, {"missing": ["e.a"]}, ["The required field e.a has no column."]),
        ({"problem": "x"}, {}, ["Expected the problem x, but the file can be read."]),
        ({}, {"problem": "x"}, ["The file cannot be tested: x."]),
        ({"questions": 2}, {"questions": 1}, ["Expected 2 questions, got 1 question."]),
    ],
)
def test_differences_are_said_one_by_one(expected, got, message):
    assert differences(NOTHING | expected, NOTHING | got) == message

"""Only what nothing contradicts is proposed, and only what was tested as it is may be added."""

import pytest

from analytics.by_catalog.corrected_headers import HeaderCount
from analytics.by_catalog.proposals import proposals
from analytics.by_catalog.report import Text
from catalogs.additions import Addition, with_addition
from catalogs.models import RegressionFile
from common import clock
from imports import transitions
from imports.models import ImportRecord
from ledger.models import Answer
from previews.proposal_tests import faults
from tabular.model import i_json
from tabular.model.catalog import Catalog
from tests.analytics.orders import CATALOG, ORDERS, analytics, correction, editor, keep, published
from tests.importengine.analytics_rows import add_text
from workflow.proposals import DIFFERS, MOST, PASSES, Offered, _first
from workflow.worker import advance

__all__ = ["editor", "keep", "published"]  # fixtures
EMAIL = {"key": "reply", "columnType": "email"}


def catalog(*more: dict) -> Catalog:
    (entry,) = CATALOG["entries"]
    entries = [{**entry, "fields": [*entry["fields"], *more]}]
    document = {"key": "orders", "version": 1, "entries": entries}
    return Catalog.model_validate_json(i_json.write(document), by_alias=True, by_name=False)


def depot(header: str, imports: int = 3) -> HeaderCount:
    return HeaderCount(header, "order.depot", imports)


@pytest.mark.parametrize(
    ("corrected", "mapped"),
    [
        ([depot("Kd-Nr"), HeaderCount("Kd Nr", "order.number", 2)], []),
        ([depot("Mail.")], []),  # the label of a field
        ([depot("Kür\x07zel")], []),
        ([depot("Kd-Nr")], [("kd nr", "order.number")]),  # proposed, and accepted
    ],
)
def test_a_header_that_anything_takes_otherwise_is_not_proposed(corrected, mapped):
    assert proposals(catalog(), corrected, (), mapped) == []


def test_spellings_of_a_header_are_proposed_once():
    corrected = [depot("Kd-Nr"), depot("Kd Nr", 2)]
    mapped = [("Kd-Nr", "order.depot"), ("Kd-Nr", "order.gone")]

    (item,) = proposals(catalog(), corrected, (), mapped)
    assert (item.addition.text, item.imports) == ("Kd-Nr", 5)


@pytest.mark.parametrize(
    "other", [EMAIL, {"key": "a", "valueDetectors": [{"kind": "builtin", "name": "email"}]}]
)
def test_a_type_that_two_fields_are_recognized_by_gets_no_further_detector(other):
    corrected = [HeaderCount(header, "order.mail", 2) for header in ("", "Post", "Kontakt")]

    kinds = {item.addition.kind for item in proposals(catalog(other), corrected, ())}
    assert kinds == {"alias"}


@pytest.mark.parametrize(("text", "private"), [("zu", True), ("done!", False), ("z\x07u", False)])
def test_a_text_of_one_customer_or_of_an_option_is_not_proposed(text, private):
    given = Text("order.status", text, "done", 3, disputed=False, private=private)

    assert proposals(catalog(), (), [given]) == []


@pytest.mark.django_db
def test_a_text_is_proposed_once_two_scopes_write_it(owner, editor, published):
    for text in ("zu", "x" * 201):
        add_text(owner, "order.status", text, "done")
        Answer.objects.filter(scope="").update(scope="a")
    assert analytics(editor)["proposals"]["items"] == []
    assert [item["text"] for item in analytics(editor)["texts"]] == ["zu"]

    add_text(owner, "order.status", "Zu", "done")
    assert [item["imports"] for item in analytics(editor)["proposals"]["items"]] == [4]


def test_what_differs_takes_no_place_of_others():
    states = [DIFFERS] * (MOST + 2) + [PASSES] * (MOST + 2)
    shown = [item.state for item in _first(Offered(None, state, ()) for state in states)]

    assert (shown.count(DIFFERS), shown.count(PASSES)) == (MOST, MOST)


@pytest.mark.django_db
def test_a_result_counts_as_long_as_the_same_is_expected(owner, editor, published, keep):
    keep("Nummer;Kürzel\nA1;k7\nA2;k9\n")
    correction(owner, "Kürzel", "order.depot")
    kept = RegressionFile.objects.get()
    before = kept.expected
    now = {**before, "columns": {"Nummer": "order.number", "Kürzel": "order.depot"}}

    for expected, state in ((before, "differs"), (now, "passes")):
        RegressionFile.objects.update(expected=expected)
        assert [item["state"] for item in analytics(editor)["proposals"]["items"]] == ["untested"]
        editor.post(f"{ORDERS}/analytics/test")
        advance(ImportRecord.objects.latest("pk").public_id)
        assert [item["state"] for item in analytics(editor)["proposals"]["items"]] == [state]
    RegressionFile.objects.update(expected={**now, "questions": 3})
    assert [item["state"] for item in analytics(editor)["proposals"]["items"]] == ["untested"]


@pytest.mark.django_db
def test_what_was_tested_alone_is_added_alone(owner, editor, published, keep):
    keep("Nummer\nA1\n")
    correction(owner, "Kürzel", "order.depot")
    correction(owner, "Lagerort", "order.depot")
    for _ in range(2):  # the second starts nothing again
        editor.post(f"{ORDERS}/analytics/test")
    tests = ImportRecord.objects.filter(tested_against__contains="proposals")
    advance(tests.get().public_id)
    ids = [item["id"] for item in analytics(editor)["proposals"]["items"]]

    both = editor.post(f"{ORDERS}/analytics/draft", {"proposals": ids}, format="json")
    assert (both.status_code, both.json()["code"]) == (409, "proposal_not_tested")
    assert both.json()["detail"].startswith("Each proposal was tested alone.")
    single = editor.post(f"{ORDERS}/analytics/draft", {"proposals": ids[:1]}, format="json")
    assert single.status_code == 200
    assert [item["state"] for item in analytics(editor)["proposals"]["items"]] == ["untested"]


@pytest.mark.django_db
def test_a_file_that_cannot_be_tested_says_why_and_is_tested_again(owner, editor, published, keep):
    keep("Nummer\nA1\n")
    correction(owner, "Kürzel", "order.depot")
    editor.post(f"{ORDERS}/analytics/test")
    record = ImportRecord.objects.latest("pk")
    problem = {"code": "out_of_memory", "title": "t", "detail": "The file needs more memory."}
    transitions.fail(record, problem, at=clock.now())

    (item,) = analytics(editor)["proposals"]["items"]
    assert item["state"] == "differs"
    assert item["differences"] == [{"test": "kept", "detail": "The file needs more memory."}]
    editor.post(f"{ORDERS}/analytics/test")
    advance(ImportRecord.objects.latest("pk").public_id)
    (item,) = analytics(editor)["proposals"]["items"]
    assert item["state"] == "passes"


def test_only_what_an_addition_causes_is_its_fault():
    text = i_json.write({"key": "orders", "version": 1, **CATALOG})
    wrong = with_addition(text, Addition("option", "order.status", "Open", "done"))

    (finding,) = faults(text, wrong)
    assert finding.code == "ambiguous_option"
    assert faults(wrong, with_addition(wrong, Addition("alias", "order.depot", "Lager"))) == []


@pytest.mark.django_db
def test_a_draft_that_had_errors_before_gains_an_addition(owner, editor, published):
    text = i_json.write(CATALOG)
    wrong = with_addition(text, Addition("option", "order.status", "Open", "done"))
    editor.put(f"{ORDERS}/draft", i_json.read(wrong), format="json")
    correction(owner, "Kürzel", "order.depot")
    (item,) = analytics(editor)["proposals"]["items"]

    body = {"proposals": [item["id"]]}
    saved = editor.post(f"{ORDERS}/analytics/draft", body, format="json")
    assert saved.status_code == 200
    assert [finding["code"] for finding in saved.json()["findings"]] == ["ambiguous_option"]

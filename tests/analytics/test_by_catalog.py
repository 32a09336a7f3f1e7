"""What became of imports into a catalog is counted once, and leads to additions that are tested."""

import json
from datetime import timedelta
from itertools import pairwise

import pytest

from analytics.by_catalog.corrected_headers import corrected
from analytics.by_catalog.journeys import Stop, Taken, journey
from analytics.models import CatalogDay, CorrectedHeader
from catalogs.additions import Addition, with_addition
from common import clock
from common.actors import ENGINE
from importengine.erasure import erase_scope, erase_tenant
from imports.models import ImportRecord
from pipeline.proposal import ProposedColumn
from tests.analytics.conftest import NOON
from tests.analytics.orders import (
    ORDERS,
    V1,
    analytics,
    correction,
    editor,
    imported,
    keep,
    published,
    receiver,
)
from tests.importengine.admin_rows import ADA
from workflow.worker import advance

__all__ = ["editor", "imported", "keep", "published", "receiver"]  # fixtures
pytestmark = pytest.mark.django_db


def test_what_people_correct_becomes_a_draft(imported, editor, fold_later):
    for scope in ("a", "b"):
        imported(scope=scope)
    fold_later()
    fold_later()
    fold_later()

    shown = analytics(editor)
    assert [(step["step"], step["imports"]) for step in shown["steps"]] == [
        (name, 2) for name in ("uploaded", "table", "columns", "review", "applied")
    ]
    assert shown["headers"] == [{"header": "Kürzel", "field": "order.depot", "imports": 2}]
    assert shown["questions"][0]["kind"] == "category_value"
    assert shown["issues"] == [{"code": "unknown_option", "imports": 2, "issues": 2}]
    assert [(item["text"], item["value"]) for item in shown["texts"]] == [("zu", "done")]
    offered = shown["proposals"]["items"]
    assert {(item["kind"], item["text"], item["state"]) for item in offered} == {
        ("alias", "Kürzel", "passes"),  # no file is kept, so there is nothing to test with
        ("option", "zu", "passes"),
    }

    ids = [item["id"] for item in offered]
    saved = editor.post(f"{ORDERS}/analytics/draft", {"proposals": ids}, format="json")

    assert saved.status_code == 200, saved.content
    assert (saved.json()["state"], saved.json()["findings"]) == ("draft", [])
    _, depot, _, status = editor.get(f"{ORDERS}/draft").json()["entries"][0]["fields"]
    assert depot["alternativeMatches"] == ["Kürzel"]
    assert status["dropdownOptions"][1]["alternativeMatches"] == ["zu"]
    assert analytics(editor)["proposals"]["items"] == []


def test_a_proposal_is_offered_once_the_test_files_pass_with_it(owner, editor, published, keep):
    keep("Nummer;Kürzel\nA1;k7\nA2;k9\n")
    correction(owner, "Kürzel", "order.depot", imports=3)
    correction(owner, "Lagerort", "order.depot")
    (harmful, harmless) = analytics(editor)["proposals"]["items"]
    assert {harmful["state"], harmless["state"]} == {"untested"}
    body = {"proposals": [harmless["id"]]}
    early = editor.post(f"{ORDERS}/analytics/draft", body, format="json")
    assert (early.status_code, early.json()["code"]) == (409, "proposal_not_tested")

    started = editor.post(f"{ORDERS}/analytics/test").json()
    assert [item["state"] for item in started["items"]] == ["running", "running"]
    advance(ImportRecord.objects.latest("pk").public_id)

    (harmful, harmless) = analytics(editor)["proposals"]["items"]
    assert (harmful["text"], harmful["state"]) == ("Kürzel", "differs")
    assert harmful["differences"][0]["test"] == "kept"
    assert "is now mapped to order.depot" in harmful["differences"][0]["detail"]
    assert harmless["state"] == "passes"
    assert editor.post(f"{ORDERS}/analytics/draft", body, format="json").status_code == 200
    unknown = editor.post(f"{ORDERS}/analytics/draft", body, format="json")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown_proposal")


def test_an_addition_that_makes_a_file_give_what_is_expected_passes(owner, editor, published, keep):
    expected = {
        "problem": None, "columns": {"Nummer": "order.number", "Kürzel": "order.depot"},
        "missing": [], "issues": [], "questions": 0,
    }  # fmt: skip
    keep("Nummer;Kürzel\nA1;k7\nA2;k9\n", expected=expected)
    correction(owner, "Kürzel", "order.depot")
    editor.post(f"{ORDERS}/analytics/test")
    tested = ImportRecord.objects.latest("pk").public_id
    advance(tested)

    (item,) = analytics(editor)["proposals"]["items"]
    assert item["state"] == "passes"
    assert editor.get(f"{ORDERS}/draft/test/{tested}").status_code == 404  # no person sent it


def test_what_is_disputed_or_rare_is_not_proposed(owner, editor, published):
    correction(owner, "Kürzel", "order.depot", imports=5)
    correction(owner, "Kürzel", "order.number")
    correction(owner, "Lager", "order.depot", imports=1)
    correction(owner, "gone", "order.gone")

    assert analytics(editor)["proposals"]["items"] == []


def test_many_names_for_one_field_lead_to_a_detector(owner, editor, published):
    for header in ("", "Post", "Kontakt"):
        correction(owner, header, "order.mail", imports=1)

    (item,) = analytics(editor)["proposals"]["items"]
    assert (item["kind"], item["text"], item["imports"]) == ("detector", "email", 3)


def test_an_option_that_is_a_number_gains_a_name_however_the_number_is_written():
    option = {"type": "float", "value": 1, "label": "One"}
    document = {"entries": [{"id": "p", "fields": [{"key": "n", "dropdownOptions": [option]}]}]}

    changed = json.loads(
        with_addition(json.dumps(document), Addition("option", "p.n", "eins", 1.0))
    )

    assert changed["entries"][0]["fields"][0]["dropdownOptions"] == [
        {**option, "alternativeMatches": ["eins"]}
    ]


def test_texts_are_for_those_who_may_see_cells(owner, editor, published):
    from django.contrib.auth import get_user_model
    from django.contrib.auth.models import Group
    from django.test import Client

    from licensing.models import Membership

    person = get_user_model().objects.create_user("ada", is_staff=True)
    person.groups.set(Group.objects.filter(name="viewer"))
    Membership.objects.create(user=person, tenant=owner, role="viewer")
    browser = Client()
    browser.force_login(person)

    correction(owner, "Ada Lovelace", "order.depot", imports=1)  # a cell taken for a header
    correction(owner, "Kürzel", "order.depot")
    answer = browser.get(f"{ORDERS}/analytics", headers={"x-import-tenant": owner.public_id})

    assert answer.json().get("texts", answer.json()) is None
    assert [item["header"] for item in answer.json()["headers"]] == ["Kürzel"]
    assert [item["header"] for item in analytics(editor)["headers"]] == ["Kürzel", "Ada Lovelace"]


def test_a_stranger_and_a_test_key_see_nothing_of_a_tenant(
    owner, editor, published, client_of, mint_key
):
    correction(owner, "Kürzel", "order.depot")
    stranger = client_of(mint_key("tnt_stranger"))
    tester = client_of(mint_key(is_test=True))

    assert stranger.get(f"{ORDERS}/analytics").status_code == 404
    shown = analytics(tester)
    assert (shown["headers"], shown["proposals"]["items"]) == ([], [])


def test_a_column_that_a_recipe_splits_is_not_a_corrected_header():
    columns = [ProposedColumn(column="Name", field="p.last", score=90.0, reason="")]
    split = {"First": "p.first", "Last": "p.last"}

    assert list(corrected(columns, split, {"Name"})) == []
    assert list(corrected(columns, {}, set())) == [("Name", "")]  # a person left it out


def taken(*states: str, reasons: dict | None = None) -> list[Taken]:
    """Return moves, a minute apart."""
    return [
        Taken(n, before, after, NOON + timedelta(minutes=n), (reasons or {}).get(n, ""), {})
        for n, (before, after) in enumerate(pairwise(states), start=1)
    ]


WHOLE = ("received", "reading", "mapping", "transforming", "review")


@pytest.mark.parametrize(
    ("moves", "steps"),
    [
        (taken(*WHOLE, "applying", "applied"), [0, 120, 60, 60, 120]),
        (taken("received", "reading", "transforming", "review"), [0, 120, 0, 60]),
        (taken(*WHOLE, "reading", "mapping", "transforming", "review"), [0, 120, 60, 60]),
        (taken("received", "reading", "failed", "reading", "mapping"), [0, 240]),
    ],
)
def test_each_step_counts_once_with_the_time_since_the_step_before(moves, steps):
    assert [done.seconds for done in journey(moves, created_at=NOON).done] == steps


def test_a_sample_counts_from_the_choice_of_its_catalog():
    moves = taken(
        "received", "reading", "mapping", "reading", "mapping",
        reasons={3: "the catalog was chosen"},
    )  # fmt: skip

    done = journey(moves, created_at=NOON).done
    assert [(item.step, item.version, item.seconds) for item in done] == [
        ("uploaded", 3, 0),
        ("table", 4, 60),
    ]


def test_an_import_stops_where_a_person_or_retention_ends_it(imported, fold_later, client, editor):
    body = {"text": "Xyz;Abc\nja;7\nja;8\n", "filename": "a.csv"}
    for actor in (ADA, ENGINE):
        name = client.post(f"{V1}/imports", body, format="json").json()["recordId"]
        advance(name)
        from imports.services.choices import delete

        delete(record=ImportRecord.objects.get(public_id=name), actor=actor, at=clock.now())
    for _ in range(3):
        fold_later()

    shown = analytics(editor)
    (left,) = [item for item in shown["questions"] if item["leftOpen"]]
    assert (left["kind"], left["questions"], left["leftOpen"]) == ("column", 0, 2)
    _, table, *_ = shown["steps"]
    assert (table["imports"], table["gaveUp"], table["left"], table["waiting"]) == (2, 1, 1, 0)
    moves = taken("received", "reading", "mapping", "cancelled")
    assert journey(moves, created_at=NOON).stop == Stop("table", 3, by_engine=False)


def test_nothing_is_counted_twice_and_everything_is_forgotten(
    imported, fold_later, owner, monkeypatch
):
    monkeypatch.setattr("analytics.history_counts.BATCH", 1)
    imported(scope="a")
    for _ in range(5):
        fold_later()

    (day,) = CatalogDay.objects.all()
    assert day.counts["reached:applied"] == day.counts["asked:category_value:order.status"] == 1
    assert CorrectedHeader.objects.get().imports == 1
    erase_scope(tenant=owner, scope="a", actor=ADA, at=clock.now())
    assert not CorrectedHeader.objects.exists()
    erase_tenant(tenant=owner, actor=ADA, at=clock.now())
    assert not CatalogDay.objects.exists()

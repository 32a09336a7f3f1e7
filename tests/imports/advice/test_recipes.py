"""A model of one's own proposes steps for a column that does not fit: shown, and never applied."""

import json

import pytest

from imports.advice import client as calls
from imports.models import ImportRecord
from ledger.models import ModelAnswer
from tests.imports.asked import Imported, publish_fields

pytestmark = pytest.mark.django_db
WEIGHT = {"key": "weight", "label": "Weight", "columnType": "int"}
TEXT = "Name,Weight\nAda,about 12 (net)\nBob,about 7 (net)\nCid,about 30 (net)\nDee,5\n"
STEP = {"do": "regex_replace", "pattern": "^about ([0-9]+) .*$", "by": "\\1"}
DONE = {**STEP, "columns": ["Weight"]}


@pytest.fixture
def imported(owner, client):
    """Return a function that imports a text with a column whose values do not fit."""
    publish_fields(owner, "name", WEIGHT)

    def imported(text=TEXT, **members):
        return Imported(client, text, **{"autoMap": True, **members})

    return imported


def proposals(upload):
    return upload.mapping()["modelSteps"]


@pytest.mark.parametrize("auto", [True, False])
def test_steps_are_shown_with_their_trial_and_never_applied(imported, model, auto):
    model.cleans("Weight", STEP)

    upload = imported(autoMap=auto)

    assert proposals(upload) == [
        {
            "column": "Weight",
            "field": "p.weight",
            "steps": [DONE],
            "score": 40.0,
            "effect": "4 sample rows: 3 fixed, 0 broken",
            "reason": "The model small-1 proposes it; nothing else supports it",
        }
    ]
    assert upload.state == ("review" if auto else "mapping")
    assert ImportRecord.objects.get(public_id=upload.id).recipe is None
    if auto:
        assert upload.values("p.weight") == [None, None, None, 5]


def test_steps_that_a_person_confirms_make_the_rows_and_are_proposed_no_more(imported, model):
    model.cleans("Weight", STEP)
    upload = imported()
    mapping = upload.mapping()["mapping"]

    upload.put("mapping", {"mapping": mapping, "recipe": {"version": 1, "steps": [DONE]}})

    assert upload.values("p.weight") == [12, 7, 30, 5]
    assert proposals(upload) == []


def test_a_model_sees_the_header_the_field_and_the_issues_and_nothing_of_the_cells(imported, model):
    model.says({"recipe": {}})

    imported()

    assert json.loads(model.received[0]["messages"][1]["content"]) == {
        "columns": [
            {
                "id": "c1",
                "name": "Weight",
                "field": "Weight",
                "type": "int",
                "issues": ["not_a_whole_number"],
            }
        ]
    }


def test_a_model_sees_the_form_of_values_if_the_tenant_allows_it(imported, model, owner):
    owner.shows_models_samples = True
    owner.save()
    model.says({"recipe": {}})

    imported()

    sent = json.loads(model.received[0]["messages"][1]["content"])
    assert sent["columns"][0]["samples"] == [
        "xxxxx 99 (xxx)", "xxxxx 9 (xxx)", "xxxxx 99 (xxx)"]  # fmt: skip
    assert "about" not in str(sent)


def test_what_a_model_said_is_kept_and_a_replay_asks_none(imported, model, settings):
    model.cleans("Weight", STEP)
    upload = imported()
    before = proposals(upload)
    settings.MODEL_URL = ""

    upload.put("reading", {"delimiter": ","})

    kept = ModelAnswer.objects.get()
    assert (kept.task, kept.model, len(kept.prompt_digest)) == ("recipe", "small-1", 64)
    assert json.loads(kept.answer) == {"recipe": {"c1": [STEP]}}
    assert (proposals(upload), len(model.received)) == (before, 1)


@pytest.mark.parametrize(
    "steps",
    [
        [{"do": "explode"}],
        [{"do": "drop_rows", "where": "matches", "value": "about"}],
        [{"do": "constant", "value": "1", "into": "Weight"}],
        [{"do": "default", "value": "0"}],
        [{"do": "regex_replace", "pattern": "("}],
        [{"do": "regex_replace", "pattern": "(", "by": ""}],
        [{**STEP, "columns": ["Name"], "more": 1}],
        [STEP] * 6,
        [],
        "trim",
        {"do": "trim"},
        [["trim"]],
        [None],
        [{"do": ["trim"]}],
        [{"do": "trim"}],  # fixes nothing
        [{"do": "replace", "find": "5", "by": ""}],  # breaks one
    ],
)
def test_steps_that_are_unknown_or_fix_nothing_are_dropped(imported, model, steps):
    model.says({"recipe": {"c1": steps}})

    upload = imported()

    assert (upload.state, proposals(upload)) == ("review", [])
    assert upload.values("p.weight") == [None, None, None, 5]


def test_steps_touch_no_column_that_a_model_names_itself(imported, model):
    model.cleans("Weight", {**STEP, "columns": ["Name"]})

    assert [item["steps"] for item in proposals(imported())] == [[DONE]]


@pytest.mark.parametrize("content", ["", "Trim it.", "[]", "{" * 5_000, '{"recipe": {"c9": []}}'])
def test_nonsense_changes_nothing(imported, model, content):
    model.says(content)

    upload = imported()

    assert (upload.state, proposals(upload)) == ("review", [])


def test_a_huge_answer_changes_nothing(imported, model):
    model.step = lambda call, prompt: call.send(200, "{" + "x" * 2_000_000)

    upload = imported()

    assert (upload.state, proposals(upload)) == ("review", [])


def test_a_model_that_hangs_costs_one_import_its_deadline(imported, model, monkeypatch):
    monkeypatch.setattr(calls, "DEADLINE_S", 0.3)
    model.hangs()

    first, second = imported(), imported()

    assert (first.state, second.state, len(model.received)) == ("review", "review", 1)


def test_a_column_that_fits_asks_no_model(imported, model):
    imported("Name,Weight\nAda,12\nBob,7\nCid,30\n")

    assert model.received == []


def test_a_column_mapped_elsewhere_has_no_steps(imported, model):
    model.cleans("Weight", STEP)
    upload = imported()

    upload.put("mapping", {"mapping": {"Weight": "p.name"}})

    assert proposals(upload) == []


def test_a_trial_is_worded_in_the_language_of_the_reader(imported, model, client):
    model.cleans("Weight", STEP)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"

    (shown,) = proposals(imported())

    assert shown["effect"] == "4 Beispielzeilen: 3 behoben, 0 verschlechtert"


def test_a_model_whose_steps_are_not_taken_falls_silent(imported, model):
    model.cleans("Weight", STEP)
    seen = []
    for number in range(8):
        upload = imported(TEXT.replace("Ada", f"Ada {number}").replace("Name", f"Name {number}"))
        seen.append(bool(proposals(upload)))
        upload.finish(remember=False)

    assert seen == [True] * 6 + [False] * 2

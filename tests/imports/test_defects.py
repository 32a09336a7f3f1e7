"""An engine failure at one field stays with that field, is logged, and causes no 5xx."""

import logging

import pytest

from imports.models import ImportRecord
from sandbox import JobBroken
from tests.imports.asked import V1, Imported, publish_fields
from tests.jobs import run_job_here
from workflow.worker import advance

pytestmark = pytest.mark.django_db
SECRET = "Ada-17"
FILE = f"Name,Mail\n{SECRET},a@b.de\nBob,c@d.de\n"
MAIL = {"key": "mail", "columnType": "email", "validations": [{"validate": "regex", "regex": "@"}]}
NAME = {"key": "name", "validations": [{"validate": "unique"}]}


def broken(*_, **__):
    raise NotImplementedError(f"no kernel for {SECRET}")


@pytest.fixture
def imported(owner, client, caplog, request):
    """Return an import whose engine the test may break beforehand."""
    caplog.set_level(logging.ERROR)
    publish_fields(owner, NAME, MAIL)
    return lambda: Imported(client, FILE, autoMap=True)


def issues(upload):
    rows = upload.client.post(upload.url("rows/query"), {}, format="json").json()["rows"]
    return [(row["row"], i["field"], i["code"]) for row in rows for i in row["issues"]]


NAMED = [(0, "p.name", "not_checked"), (1, "p.name", "not_checked")]
MAILED = [(0, "p.mail", "not_checked"), (1, "p.mail", "not_checked")]


@pytest.mark.parametrize(
    ("place", "codes", "step"),
    [
        ("tabular.validating.rules.Pattern", MAILED, "regex of p.mail"),  # when it is compiled
        ("tabular.validating.rules.Pattern.search", MAILED, "regex of p.mail"),
        ("tabular.validating.unique.hash_rows", NAMED, "unique of p.name"),
        ("tabular.job.staged_files.duplicates", NAMED, "unique of p.name"),
    ],
)
def test_a_rule_that_fails_is_an_issue_at_its_cells_alone(
    imported, monkeypatch, caplog, place, codes, step
):
    monkeypatch.setattr(place, broken)

    upload = imported()

    assert upload.state == "review"
    assert issues(upload) == codes
    assert upload.record["counts"]["error"] == 2
    assert upload.values("p.mail") == ["a@b.de", "c@d.de"]
    (logged,) = [r.getMessage() for r in caplog.records if r.name == "staging.defects"]
    assert f"{upload.id}: NotImplementedError in {step}: " in logged
    assert "test_defects.py" in logged
    assert SECRET not in caplog.text


def test_a_type_that_fails_leaves_its_cells_empty_and_the_others_as_they_are(
    imported, monkeypatch, caplog
):
    monkeypatch.setitem(
        __import__("tabular.types.registry").types.registry.READERS, "email", broken
    )

    upload = imported()

    assert (upload.state, issues(upload)) == ("review", MAILED)
    assert (upload.values("p.mail"), upload.values("p.name")) == ([None, None], [SECRET, "Bob"])
    assert "NotImplementedError in read of p.mail" in caplog.text
    assert SECRET not in caplog.text


@pytest.mark.parametrize("limit", [10_000, 0])  # as an overlay, and as files
def test_an_edit_next_to_a_rule_that_fails_still_works(imported, monkeypatch, limit):
    upload = imported()
    monkeypatch.setattr("staging.edits.preparation.MAX_OVERLAY", limit)
    monkeypatch.setattr("tabular.validating.rules.Pattern.search", broken)
    edits = [{"row": 0, "field": path, "text": "x"} for path in ("p.name", "p.mail")]

    answer = upload.client.patch(upload.url("rows"), {"revision": 1, "edits": edits}, format="json")
    again = {"revision": 2, "edits": [{"row": 0, "field": "p.mail", "text": "e@f.de"}]}
    answer = upload.client.patch(upload.url("rows"), again, format="json")

    assert answer.status_code == 200, answer.json()
    assert issues(upload) == MAILED[:1]
    assert upload.values("p.name") == ["x", "Bob"]


@pytest.mark.parametrize("limit", [10_000, 0])
def test_an_edit_of_what_cannot_be_compared_is_marked(imported, monkeypatch, limit):
    upload = imported()
    monkeypatch.setattr("staging.edits.preparation.MAX_OVERLAY", limit)
    for place in ("tabular.validating.unique.hash_rows", "tabular.types.hashing.hash_rows"):
        monkeypatch.setattr(place, broken)
    edits = [{"row": 0, "field": "p.name", "text": "Eve"}]

    answer = upload.client.patch(upload.url("rows"), {"revision": 1, "edits": edits}, format="json")

    assert answer.status_code == 200, answer.json()
    assert issues(upload) == NAMED[:1]
    assert upload.values("p.name") == ["Eve", "Bob"]


@pytest.mark.parametrize(
    "place", ["staging.marks.Marks.changed", "staging.views._matches", "staging.views._sorted"]
)
def test_a_page_comes_although_a_column_cannot_be_looked_at(imported, monkeypatch, caplog, place):
    upload = imported()
    monkeypatch.setattr(place, broken)

    for view in ({}, {"filter": "changed"}, {"search": "x"}, {"sort": {"field": "p.name"}}):
        answer = upload.client.post(upload.url("rows/query"), {"view": view}, format="json")
        assert answer.status_code == 200, (view, answer.json())
    assert upload.values("p.name") == [SECRET, "Bob"]
    assert "NotImplementedError" in caplog.text


def test_values_that_cannot_be_written_are_marked_in_pages_and_files(imported, monkeypatch):
    upload = imported()
    real = __import__("staging.columns").columns.StagedColumn.json_texts
    refuse = lambda self, values: broken() if self.field == "p.name" else real(self, values)  # noqa: E731 one line
    monkeypatch.setattr("staging.columns.StagedColumn.json_texts", refuse)
    monkeypatch.setattr("tabular.types.value_texts.shown_texts", broken)

    assert issues(upload) == NAMED
    assert upload.values("p.mail") == ["a@b.de", "c@d.de"]
    for form in ("csv", "xlsx"):
        answer = upload.client.get(upload.url("export"), {"rows": "all", "format": form})
        content = b"".join(answer.streaming_content)
        assert answer.status_code == 200
    text = b"".join(
        upload.client.get(upload.url("export"), {"rows": "all", "format": "csv"}).streaming_content
    )
    assert b"An engine error prevented this cell from being checked." in text
    assert content[:2] == b"PK"


@pytest.mark.parametrize(
    ("place", "step"),
    [("tabular.rechecking.explaining.json_texts", "explain"), ("READERS", "read")],
)
def test_an_explanation_goes_on_after_a_value_that_cannot_be_read_or_shown(
    imported, monkeypatch, caplog, place, step
):
    upload = imported()
    if place == "READERS":
        readers = __import__("tabular.types.registry").types.registry.READERS
        monkeypatch.setitem(readers, "email", broken)
    else:
        real = __import__("tabular.types.value_texts").types.value_texts.json_texts
        monkeypatch.setattr(
            place, lambda values, type_: broken() if type_ == "email" else real(values, type_)
        )

    answer = upload.client.get(upload.url("rows/0/explain"))

    assert answer.status_code == 200, answer.content
    cells = {cell["field"]: cell for cell in answer.json()["cells"]}
    assert (cells["p.mail"]["value"], cells["p.mail"]["isChecked"]) == (None, False)
    assert cells["p.mail"]["texts"] == {"Mail": "a@b.de"}
    assert (cells["p.name"]["value"], cells["p.name"]["isChecked"]) == (SECRET, True)
    assert f"NotImplementedError in {step} of p.mail" in caplog.text
    assert SECRET not in caplog.text


STEP_OF = {"read": "reading", "transform": "transforming"}


@pytest.mark.parametrize("error", [TypeError(SECRET), JobBroken("status 7"), KeyError(SECRET)])
@pytest.mark.parametrize("step", ["reading", "transforming"])
def test_what_would_fail_again_fails_the_import_at_once_and_names_the_step(
    owner, client, monkeypatch, caplog, error, step
):
    def fail(folder, request, **others):
        if STEP_OF[request.job] == step:
            raise error
        return run_job_here(folder, request, **others)

    publish_fields(owner, NAME, MAIL)
    monkeypatch.setattr("sandbox.bench.run_job", fail)

    upload = Imported(client, FILE, autoMap=True)

    assert upload.state == "failed"
    is_readers = step == "reading" and isinstance(error, JobBroken)
    assert (upload.record["problem"]["code"], upload.record["problem"]["step"]) == (
        "parser_crashed" if is_readers else "internal_error",
        step,
    )
    assert ImportRecord.objects.get(public_id=upload.id).progress.tries == 0
    assert SECRET not in caplog.text
    assert SECRET not in str(upload.record["problem"])
    advance(upload.id)
    assert client.get(f"{V1}/imports/{upload.id}").json()["state"] == "failed"

"""Values that a page proposes: ordinary edits, and none that the catalog would mark as wrong."""

import pytest

from imports.models import ImportRecord
from staging.models import Revision
from tests.staging.conftest import FIELDS, ROWS, in_review

pytestmark = pytest.mark.django_db
__all__ = ["in_review"]
EURO = [{**FIELDS[1], "numberFormat": "eu"}, {"key": "share", "columnType": "percentage"}]


@pytest.fixture
def propose(client_of, mint_key, in_review):
    """Return a function that proposes values for an import, and returns status and answer."""
    client = client_of(mint_key("tnt_owner"))

    def propose(*cells, record=None, **body):
        record = record or in_review()
        proposals = [{"row": row, "field": path, "value": value} for row, path, value in cells]
        answer = client.patch(
            f"/api/import/v1/imports/{record.public_id}/rows",
            {"revision": 1, "proposals": proposals, **body},
            format="json",
        )
        return answer.status_code, answer.json()

    return propose


def refusals(answer) -> list[tuple[int, str, str]]:
    return [(item["row"], item["field"], item["code"]) for item in answer["refused"]]


def test_proposals_that_fit_are_one_revision_of_ordinary_edits(propose):
    status, answer = propose(
        (1, "e.amount", 2.5), (2, "e.paid", "2024-03-05"), (1, "e.mail", "x@y.de")
    )

    assert (status, answer["revision"], answer["cells"], answer["refused"]) == (200, 2, 3, [])
    values = {row["row"]: row["values"] for row in answer["rows"]}
    assert (values[1]["e.amount"], values[2]["e.paid"]) == (2.5, "2024-03-05")
    assert answer["counts"]["byCode"].get("required") is None


@pytest.mark.parametrize(
    ("row", "path", "value", "code"),
    [
        (0, "e.amount", "much", "not_a_number"),
        (0, "e.mail", "nobody", "not_an_email"),
        (0, "e.mail", None, "required"),
        (5, "e.id", "K4", "unique"),
        (0, "e.amount", "1.5", "read_otherwise"),  # numbers are proposed as numbers
        (0, "e.amount", True, "not_a_number"),
        (0, "e.paid", "5 March 2024", "read_otherwise"),
        (1, "e.amount", "y", "not_a_number"),  # as wrong as what is there
    ],
)
def test_a_proposal_that_the_catalog_does_not_take_changes_nothing(
    row, path, value, code, propose, in_review
):
    record = in_review()
    status, answer = propose((row, path, value), record=record)

    assert (status, answer["revision"], answer["cells"]) == (200, 1, 0), answer
    assert refusals(answer) == [(row, path, code)]
    assert Revision.objects.filter(subject=record.public_id).count() == 1
    assert ImportRecord.objects.get(pk=record.pk).revision == 1


def test_what_fits_is_made_without_what_does_not(propose):
    _, answer = propose((1, "e.amount", 2), (0, "e.mail", "nobody"), (5, "e.note", "longer than 8"))

    assert refusals(answer) == [(0, "e.mail", "not_an_email"), (5, "e.note", "too_long")]
    assert (answer["revision"], answer["cells"]) == (2, 1)


def test_of_two_rows_that_would_become_the_same_neither_is_taken(propose):
    _, answer = propose((3, "e.id", "K9"), (5, "e.id", "K9"), (1, "e.amount", 2))

    assert {cell[:2] for cell in refusals(answer)} >= {(5, "e.id")}
    assert answer["counts"]["byCode"]["unique"] == 1  # the one of the file


@pytest.mark.parametrize("value", [1.234, 1234, 1234.5, -0.5, 0, 12345678.9])
def test_a_number_is_never_read_by_the_notation_of_the_file(value, propose, in_review):
    columns = {"amount": ["1.234,5", "2.000,5"], "share": ["5 %", "6 %"]}
    record = in_review(columns, fields=EURO)
    _, answer = propose((0, "e.amount", value), (1, "e.share", 0.125), record=record)

    assert answer["refused"] == []
    assert answer["rows"][0]["values"]["e.amount"] == value
    assert answer["rows"][1]["values"]["e.share"] == 0.125


def test_proposals_and_edits_of_one_batch_contradict_each_other_by_name(propose):
    edit = {"row": 0, "field": "e.note", "text": "a"}
    status, answer = propose((0, "e.note", "b"), edits=[edit])

    assert (status, answer["code"]) == (409, "contradictory_batch")
    assert answer["errors"][0]["pointer"] == "/proposals/0/value"


def test_a_cell_that_a_person_changed_meanwhile_keeps_what_they_typed(propose, in_review):
    record = in_review()
    edit = {"row": 0, "field": "e.note", "text": "mine"}
    propose(record=record, edits=[edit])
    status, answer = propose((0, "e.note", "theirs"), record=record)

    assert (status, answer["code"]) == (409, "overlapping_edits")


@pytest.mark.parametrize("member", ["readOnly", "hidden"])
def test_a_field_that_people_cannot_change_is_not_changed(member, propose, in_review):
    record = in_review()
    record.overlay = {"fields": {"e.note": {member: True}}}
    record.save()
    status, answer = propose((1, "e.amount", 2), (0, "e.note", "b"), record=record)

    assert (status, answer["code"]) == (409, "read_only_field")
    assert answer["errors"][0]["pointer"] == "/proposals/1/field"


@pytest.mark.parametrize("value", [{}, [1], [["a"]], "x" * 40_000])
def test_what_is_not_a_value_of_a_cell_is_refused_by_its_place(value, propose):
    status, answer = propose((0, "e.note", value))

    assert (status, answer["errors"][0]["pointer"]) == (400, "/proposals/0/value")


@pytest.mark.parametrize(("row", "path"), [(len(ROWS["id"]), "e.note"), (0, "e.other")])
def test_a_cell_that_does_not_exist_is_named(row, path, propose):
    status, answer = propose((row, path, "a"))

    assert (status, answer["code"]) == (409, "unknown_cells")
    assert answer["errors"][0]["pointer"].startswith("/proposals/0/")

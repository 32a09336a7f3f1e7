"""Every skipped row can be seen with its number, text and reason, and restored."""

import pytest

from tests.imports.asked import V1, Imported, publish_fields

pytestmark = pytest.mark.django_db
TEXT = (
    "Members of the club\n\nName,City,Age\nAda,Oslo,30\nBob,Rome,40\n\nCyd,Bonn,50\n"
    "Dan,Graz,60\nEve,Bern,20\nTotal,,200\n"
)
BY_CITY = {
    "version": 1,
    "steps": [
        {"do": "drop_rows", "columns": ["City"], "where": "matches", "value": "^(Rome|Graz)$"}
    ],
}
MAPPING = {"Name": "p.name", "City": "p.city"}


@pytest.fixture
def imported(owner, client):
    publish_fields(owner, "name", "city")
    return Imported(client, TEXT)


def left_out(imported, **query):
    return imported.client.get(imported.url("left-out"), query).json()


def as_told(page):
    return [(item["row"], item["reason"], item["text"]) for item in page["items"]]


READ = [(0, "preamble", "Members of the club"), (5, "blank", ""), (9, "total", "Total | 200")]


def test_before_mapping_each_row_says_its_number_text_and_reason(imported):
    page = left_out(imported)

    assert as_told(page) == READ
    assert page["counts"] == {"preamble": 1, "blank": 1, "total": 1}
    assert (page["takeBack"], page["next"]) == ([], None)
    assert page["items"][2]["cells"] == ["Total", None, "200"]


def test_after_mapping_the_rows_of_a_recipe_are_among_them(imported):
    imported.put("mapping", {"mapping": MAPPING, "recipe": BY_CITY})

    page = left_out(imported)

    assert as_told(page)[1] == (4, "recipe", "Bob | Rome | 40")
    assert [item["step"] for item in page["items"]] == [None, 0, None, 0, None]
    assert page["counts"]["recipe"] == 2


def test_they_come_by_pages_and_by_reason(imported):
    first = left_out(imported, limit=2)
    second = left_out(imported, limit=2, cursor=first["next"])

    assert as_told(first) + as_told(second) == READ
    assert second["next"] is None
    assert [row for row, _, _ in as_told(left_out(imported, reason="blank"))] == [5]


def test_a_row_is_taken_back_before_mapping(imported):
    answer = imported.put("left-out", {"takeBack": [9]})
    assert answer.status_code == 202

    imported.put("mapping", {"mapping": MAPPING})

    assert imported.values("p.name")[-1] == "Total"
    assert [row for row, _, _ in as_told(left_out(imported))] == [0, 5]
    assert left_out(imported)["takeBack"] == [9]


def test_a_row_is_taken_back_in_review_and_edits_of_other_rows_stay(imported, client):
    imported.put("mapping", {"mapping": MAPPING})
    edit = {"revision": 1, "edits": [{"row": 1, "field": "p.city", "text": "Milano"}]}
    client.patch(imported.url("rows"), edit, format="json")

    imported.put("left-out", {"takeBack": [9]})

    assert imported.state == "review"
    assert imported.values("p.name") == ["Ada", "Bob", "Cyd", "Dan", "Eve", "Total"]
    assert imported.values("p.city")[1] == "Milano"
    assert client.get(imported.url("rows/lost")).json()["items"] == []


def test_a_row_that_a_step_left_out_is_taken_back_and_left_out_again(imported):
    imported.put("mapping", {"mapping": MAPPING, "recipe": BY_CITY})
    assert imported.values("p.name") == ["Ada", "Cyd", "Eve"]

    imported.put("left-out", {"takeBack": [4]})
    with_bob = imported.values("p.name")
    imported.put("left-out", {"takeBack": []})

    assert with_bob == ["Ada", "Bob", "Cyd", "Eve"]
    assert imported.values("p.name") == ["Ada", "Cyd", "Eve"]


def test_the_rows_that_are_taken_back_already_start_nothing(imported, client):
    imported.put("mapping", {"mapping": MAPPING})
    imported.put("left-out", {"takeBack": [9]})
    before = client.get(f"{V1}/imports/{imported.id}").json()

    answer = imported.put("left-out", {"takeBack": [9]})

    assert (answer.status_code, answer.json()["state"]) == (202, "review")
    assert client.get(f"{V1}/imports/{imported.id}").json() == before


def test_the_counts_follow(imported):
    imported.put("mapping", {"mapping": MAPPING, "recipe": BY_CITY})
    before = imported.record["counts"]

    imported.put("left-out", {"takeBack": [4, 9]})

    after = imported.record["counts"]
    assert (before["rows"], before["skipped"]) == (3, before["sourceRows"] - 3)
    assert (after["rows"], after["skipped"]) == (5, after["sourceRows"] - 5)
    assert before["sourceRows"] == after["sourceRows"]


def test_every_row_of_a_reason_is_taken_back_in_one_call(imported):
    imported.put("mapping", {"mapping": MAPPING, "recipe": BY_CITY})

    imported.put("left-out", {"takeBack": [9], "reasons": ["recipe", "preamble"]})

    names = ["Members of the club", "Ada", "Bob", "Cyd", "Dan", "Eve", "Total"]
    assert imported.values("p.name") == names
    assert left_out(imported)["takeBack"] == [0, 4, 7, 9]
    assert left_out(imported)["counts"] == {"blank": 1}


def test_hundreds_of_rows_of_a_reason_are_taken_back(owner, client):
    publish_fields(owner, "name", "city")
    notes = "".join(f"# note {n}\n" for n in range(600))
    imported = Imported(client, f"Name,City\nAda,Oslo\nBob,Rome\n{notes}Cyd,Bonn\n", autoMap=True)
    (reason,) = left_out(imported)["counts"]
    assert left_out(imported)["counts"] == {reason: 600}

    imported.put("left-out", {"takeBack": [], "reasons": [reason]})

    assert left_out(imported)["counts"] == {}
    assert imported.record["counts"]["rows"] == 603


def test_more_rows_than_an_import_takes_back_are_refused(imported, monkeypatch):
    monkeypatch.setattr("imports.services.restored_rows.MOST_TAKEN", 1)

    refused = imported.put("left-out", {"takeBack": [9], "reasons": ["blank"]})

    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_rows")
    assert "would restore 2 rows; the limit is 1." in refused.json()["detail"]
    assert left_out(imported)["takeBack"] == []


def test_a_reason_that_does_not_exist_is_refused(imported):
    assert imported.put("left-out", {"takeBack": [], "reasons": ["odd"]}).status_code == 400


def test_a_row_that_was_not_left_out_is_refused_at_its_place(imported):
    refused = imported.put("left-out", {"takeBack": [9, 3]})

    assert (refused.status_code, refused.json()["code"]) == (409, "unknown_row")
    assert [error["pointer"] for error in refused.json()["errors"]] == ["/takeBack/1"]


def test_open_questions_about_columns_stay_as_they_are(owner, client):
    from tests.imports.test_questions import AMOUNTS, amounts

    publish_fields(owner, *amounts())
    imported = Imported(client, AMOUNTS + "Total;34,35\n", autoMap=True)
    before = imported.questions()
    assert [q["state"] for q in before] == ["open"]

    imported.put("left-out", {"takeBack": [row for row, _, _ in as_told(left_out(imported))]})

    assert imported.questions() == before
    assert (imported.state, len(imported.values("p.customer"))) == ("review", 4)


def test_reading_again_may_name_them_too(imported):
    imported.put("reading", {"takeBack": [9]})

    assert left_out(imported)["takeBack"] == [9]
    assert imported.record["counts"]["sourceRows"] == 6

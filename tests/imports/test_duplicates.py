"""Duplicates by chosen fields or by similar texts: kept, merged or dismissed, and undone."""

import pytest

from imports.models import ImportRecord
from staging.changes import LOOKED_AT
from staging.duplicates import dismissed, near
from staging.models import Revision
from tests.imports.asked import Imported, publish_fields
from workflow import tasks

SINCE = {"key": "since", "columnType": "date"}
PEOPLE = """Name,City,Phone,Since
Anna Schmidt,Berlin,,2024-01-05
Anna Schmitt,Berlin,030 1,2024-03-01
Bert Huber,Bonn,,2023-01-01
Anna Schmidt,Hamburg,040 22,2024-02-01
Bert Huber,Bonn,0228 5,
"""
NEAR = {"by": "near", "fields": ["p.name"], "threshold": 0.9}
NAMES = {"by": "fields", "fields": ["p.name"]}
pytestmark = pytest.mark.django_db


@pytest.fixture
def people(owner, client):
    publish_fields(owner, "name", "city", "phone", SINCE)
    imported = Imported(client, PEOPLE, autoMap=True)
    assert imported.state == "review", imported.record
    return imported


def shown(imported, **query):
    answer = imported.client.get(imported.url("duplicates"), query)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def groups(imported, **query):
    return [item["rows"] for item in shown(imported, **query)["items"]]


def sent(imported, **members):
    body = {"revision": imported.record["revision"], **members}
    return imported.client.post(imported.url("duplicates"), body, format="json")


def resolve(imported, **members):
    answer = sent(imported, **members)
    assert answer.status_code == 200, answer.json()
    imported.record["revision"] = answer.json()["revision"]
    return answer.json()


def undo(imported):
    body = {"revision": imported.record["revision"]}
    answer = imported.client.post(imported.url("undo"), body, format="json")
    assert answer.status_code == 200, answer.json()
    imported.record["revision"] = answer.json()["revision"]


def rows(imported):
    answer = imported.client.post(imported.url("rows/query"), {}, format="json")
    return [
        None if row["excluded"] else tuple(row["values"].values()) for row in answer.json()["rows"]
    ]


def left(imported):
    return [row for row, values in enumerate(rows(imported)) if values is not None]


def test_rows_are_grouped_by_chosen_fields(people):
    assert groups(people, by="fields", fields="p.name") == [[0, 3], [2, 4]]
    assert groups(people, by="fields", fields="p.name,p.city") == [[2, 4]]
    assert groups(people, by="fields", fields="p.phone") == []


def test_rows_are_grouped_by_similar_texts(people):
    assert groups(people, by="near", fields="p.name") == [[0, 1, 3], [2, 4]]
    assert groups(people, by="near", fields="p.name", threshold="0.95") == [[0, 3], [2, 4]]


def test_a_group_shows_its_rows_and_where_they_differ(people):
    first, second = shown(people, by="near", fields="p.name", samples=2)["items"]

    assert first["differs"] == ["p.name", "p.phone", "p.since"]
    assert second["differs"] == ["p.phone", "p.since"]
    assert [sample["row"] for sample in first["samples"]] == [0, 1]
    assert second["samples"][1]["values"] == {
        "p.name": "Bert Huber", "p.city": "Bonn", "p.phone": "0228 5", "p.since": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({**NEAR, "keep": "first"}, [0, 2]),
        ({**NEAR, "keep": "last"}, [3, 4]),
        ({**NEAR, "keep": "fullest"}, [1, 2]),
        ({**NEAR, "keep": "newest", "newestBy": "p.since"}, [1, 2]),
        ({**NAMES, "keep": "newest", "newestBy": "p.since"}, [1, 2, 3]),
        ({**NEAR, "keep": "last", "group": [0, 3]}, [2, 3, 4]),
        ({**NEAR, "keep": "last", "group": [4]}, [0, 1, 3, 4]),
    ],
)
def test_the_chosen_row_of_each_group_stays_until_it_is_undone(people, members, expected):
    counted = resolve(people, **members, preview=True)
    resolve(people, **members)

    assert left(people) == expected
    assert counted["excluded"] == 5 - len(expected)
    assert counted["groups"] == (1 if "group" in members else 2)
    undo(people)
    assert left(people) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("merge", "expected"),
    [
        ({}, ("Anna Schmidt", "Berlin", "030 1", "2024-01-05")),
        ({"p.phone": "last"}, ("Anna Schmidt", "Berlin", "040 22", "2024-01-05")),
        ({"p.city": "longest"}, ("Anna Schmidt", "Hamburg", "030 1", "2024-01-05")),
        (
            {"p.name": "newest", "p.since": "newest"},
            ("Anna Schmitt", "Berlin", "030 1", "2024-03-01"),
        ),
        ({"p.city": 3, "p.since": 3}, ("Anna Schmidt", "Hamburg", "030 1", "2024-02-01")),
        ({"p.phone": 0}, ("Anna Schmidt", "Berlin", None, "2024-01-05")),
    ],
)
def test_a_merge_takes_each_field_from_the_chosen_row(people, merge, expected):
    before = rows(people)
    members = {**NEAR, "keep": "merge", "merge": merge, "group": [0], "newestBy": "p.since"}
    counted = resolve(people, **members, preview=True)
    changed = resolve(people, **members)

    assert rows(people) == [expected, None, before[2], None, before[4]]
    assert counted["filled"] + counted["excluded"] == changed["cells"]
    undo(people)
    assert rows(people) == before


def test_a_dismissed_group_is_shown_again_once_its_values_change(people):
    resolve(people, **NEAR, keep="all", group=[0])

    answer = shown(people, by="near", fields="p.name")
    assert [item["rows"] for item in answer["items"]] == [[2, 4]]
    assert (answer["groups"], answer["rows"], answer["dismissed"]) == (1, 2, 1)
    assert left(people) == [0, 1, 2, 3, 4]
    resolve(people, **NEAR, keep="first")
    assert left(people) == [0, 1, 2, 3]
    undo(people)

    edits = [{"row": 3, "field": "p.name", "text": "Anna Schmid"}]
    body = {"revision": people.record["revision"], "edits": edits}
    people.client.patch(people.url("rows"), body, format="json")
    assert groups(people, by="near", fields="p.name") == [[0, 1, 3], [2, 4]]


def test_a_dismissal_of_all_groups_is_undone_and_leaves_no_digests_in_the_history(people):
    counted = resolve(people, **NAMES, keep="all", preview=True)
    resolve(people, **NAMES, keep="all")

    assert (counted["groups"], counted["excluded"]) == (2, 0)
    assert groups(people, by="fields", fields="p.name") == []
    # Other fields are another comparison.
    assert groups(people, by="fields", fields="p.name,p.city") == [[2, 4]]
    history = people.client.get(people.url("history")).json()["items"]
    assert {"groups": 2}.items() <= history[-1]["about"].items()
    assert "dismissed" not in history[-1]["about"]
    undo(people)
    assert groups(people, by="fields", fields="p.name") == [[0, 3], [2, 4]]


def test_a_dismissal_counts_as_stored(people):
    resolve(people, **NAMES, keep="all")

    made = Revision.objects.get(subject=people.record["recordId"], number=people.record["revision"])
    assert made.stored_bytes >= 2 * len('[0,"0123456789abcdef"]')


@pytest.mark.parametrize(
    ("members", "place"),
    [
        ({"by": "near", "keep": "first"}, "/fields"),
        ({"by": "fields", "keep": "first"}, "/fields"),
        ({**NAMES, "keep": "newest"}, "/newestBy"),
        ({**NAMES, "keep": "merge", "merge": {"p.city": "newest"}}, "/newestBy"),
        ({**NAMES, "keep": "first", "merge": {"p.city": "last"}}, "/merge"),
        ({**NAMES, "keep": "merge", "merge": {"p.city": 3}}, "/group"),
        ({**NAMES, "keep": "merge", "merge": {"p.city": "best"}}, "/merge/p.city"),
        ({**NAMES, "keep": "merge", "merge": {str(n): "last" for n in range(501)}}, "/merge"),
        ({**NAMES, "fields": ["p.name"] * 21, "keep": "first"}, "/fields"),
        ({**NAMES, "keep": "first", "group": [0] * 1001}, "/group"),
        ({**NEAR, "threshold": 0.4, "keep": "first"}, "/threshold"),
    ],
)
def test_a_wrong_request_names_its_member(people, members, place):
    answer = sent(people, **members)

    assert answer.status_code == 400, answer.json()
    assert [error["pointer"] for error in answer.json()["errors"]] == [place]


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({**NAMES, "fields": ["p.none"], "keep": "first"}, "unknown_field"),
        ({**NAMES, "keep": "merge", "merge": {"p.none": "last"}}, "unknown_field"),
        ({**NAMES, "keep": "newest", "newestBy": "p.name"}, "no_date_field"),
        ({**NAMES, "keep": "first", "group": [0, 2]}, "unknown_group"),
        ({**NAMES, "keep": "first", "group": [1]}, "unknown_group"),
        ({**NAMES, "keep": "merge", "merge": {"p.city": 2}, "group": [0]}, "unknown_group"),
    ],
)
@pytest.mark.parametrize("preview", [True, False])
def test_what_does_not_fit_the_rows_is_refused(people, members, code, preview):
    answer = sent(people, **members, preview=preview)

    assert (answer.status_code, answer.json()["code"]) == (409, code), answer.json()


def test_a_group_that_is_too_large_is_shown_and_only_dismissed(people, monkeypatch):
    monkeypatch.setattr(near, "MOST_IN_GROUP", 2)

    large, small = shown(people, by="near", fields="p.name")["items"]
    refused = sent(people, **NEAR, keep="first", group=[0])
    counted = resolve(people, **NEAR, keep="first", preview=True)

    assert (large["tooLarge"], small["tooLarge"]) == (True, False)
    assert (refused.status_code, refused.json()["code"]) == (409, "group_too_large")
    assert (counted["groups"], counted["tooLarge"], counted["excluded"]) == (1, 1, 1)
    resolve(people, **NEAR, keep="all", group=[0])
    assert groups(people, by="near", fields="p.name") == [[2, 4]]


def test_too_many_groups_are_not_dismissed_at_once(people, monkeypatch):
    monkeypatch.setattr("staging.duplicates.resolving.MOST_DISMISSED", 1)

    answer = sent(people, **NAMES, keep="all")

    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_groups")
    assert dismissed.MOST_DISMISSED == 1_000


def test_too_many_rows_are_not_compared(people, monkeypatch):
    monkeypatch.setattr(near, "MOST_ROWS", 4)

    answer = people.client.get(people.url("duplicates"), {"by": "near", "fields": "p.name"})

    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_to_compare")


@pytest.mark.parametrize("keep", ["merge", "newest"])
def test_a_worker_makes_what_takes_longer(people, monkeypatch, keep):
    monkeypatch.setattr("staging.duplicates.resolving.NEAR_COST", LOOKED_AT)
    members = {**NEAR, "keep": keep, "newestBy": "p.since", "group": [0]}
    if keep == "merge":
        members["merge"] = {"p.city": 3}

    answer = sent(people, **members)
    assert answer.status_code == 202, answer.json()
    tasks.make_change("")

    kept = {"merge": [0, 2, 4], "newest": [1, 2, 4]}
    assert left(people) == kept[keep]
    if keep == "merge":
        assert rows(people)[0][1] == "Hamburg"
    record = ImportRecord.objects.get(public_id=people.record["recordId"])
    assert record.bulk_changes.get().state == "done"

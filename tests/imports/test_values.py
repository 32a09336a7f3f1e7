"""Texts that are none of a field's options: counted, settled at once, remembered."""

import pytest

from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.test_questions import STATES, STATUS

pytestmark = pytest.mark.django_db


def test_texts_without_an_option_are_counted(owner, client):
    publish_fields(owner, "name", STATUS)
    imported = Imported(client, STATES, autoMap=True)

    shown = client.get(imported.url("values/p.status")).json()

    assert shown["field"] == "p.status"
    assert shown["unmatched"] == [{"value": "wibble", "count": 2}, {"value": "wobble", "count": 1}]
    assert [option["value"] for option in shown["options"]] == ["open", "closed"]
    assert shown["settled"] == {}


def test_settled_texts_fix_the_rows_and_are_reused(owner, client):
    publish_fields(owner, "name", STATUS)
    first = Imported(client, STATES, autoMap=True)

    answer = first.put("values/p.status", {"values": {"wibble": "closed", "wobble": None}})

    assert answer.status_code == 202
    assert first.values("p.status") == ["open", "closed", "closed", None]
    assert first.record["counts"]["error"] == 0
    shown = client.get(first.url("values/p.status")).json()
    assert (shown["unmatched"], shown["settled"]) == ([], {"wibble": "closed", "wobble": None})
    first.finish()
    again = Imported(client, STATES, autoMap=True)
    assert again.record["counts"]["error"] == 0
    questions = [q for q in again.questions() if q["kind"] == "category_value"]
    assert {q["answeredBy"]["label"] for q in questions} == {"learned"}


def test_more_texts_than_are_asked_about_are_reused(owner, client):
    publish_fields(owner, "name", STATUS)
    texts = [f"odd {number:03d} {'xyz'[number % 3]}" for number in range(40)]
    file = "Name,Status\n" + "".join(f"N{i},{text}\n" for i, text in enumerate(texts))
    first = Imported(client, file, autoMap=True)
    first.put("values/p.status", {"values": dict.fromkeys(texts, "open")})
    first.finish()

    again = Imported(client, file, autoMap=True)

    assert again.record["counts"]["error"] == 0
    assert set(again.values("p.status")) == {"open"}


def test_what_is_not_an_option_any_more_is_not_reused(owner, client):
    publish_fields(owner, "name", STATUS)
    first = Imported(client, STATES, autoMap=True)
    first.put("values/p.status", {"values": {"wibble": "closed"}})
    first.finish()
    fewer = {**STATUS, "dropdownOptions": STATUS["dropdownOptions"][:1]}
    publish_fields(owner, "name", fewer)

    again = Imported(client, STATES, autoMap=True)

    assert again.record["counts"]["error"] == 3
    assert {q["state"] for q in again.questions()} == {"open"}


@pytest.mark.parametrize(
    ("field", "values", "status", "code"),
    [
        ("p.status", {"wibble": "nope"}, 400, "unknown_option"),
        ("p.status", {"wibble": True}, 400, "unknown_option"),
        ("p.status", {"wibble": ["open"]}, 400, "unknown_option"),
        ("p.status", {}, 400, "invalid_request"),
        ("p.name", {"wibble": "open"}, 404, "no_options"),
        ("p.nothing", {"wibble": "open"}, 404, "no_options"),
    ],
)
def test_values_that_do_not_fit_are_refused(owner, client, field, values, status, code):
    publish_fields(owner, "name", STATUS)
    imported = Imported(client, STATES, autoMap=True)

    refused = imported.put(f"values/{field}", {"values": values})

    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert imported.record["counts"]["error"] == 3


def test_values_wait_for_rows(owner, client):
    publish_fields(owner, "name", STATUS)
    imported = Imported(client, STATES)

    looked = client.get(imported.url("values/p.status"))
    settled = imported.put("values/p.status", {"values": {"wibble": "open"}})

    assert (looked.status_code, looked.json()["code"]) == (409, "no_rows_yet")
    assert (settled.status_code, settled.json()["code"]) == (409, "not_waiting")
    assert client.get(f"{V1}/answers").json()["items"] == []


RANK = {
    "key": "rank",
    "columnType": "category",
    "allowCustomOptions": True,
    "dropdownOptions": [{"type": "int", "value": 1, "label": "First"}],
}


@pytest.mark.parametrize(("value", "status"), [(7, 202), (7.0, 202), ("soon", 400), (1.5, 400)])
def test_a_value_that_the_field_cannot_hold_is_refused(owner, client, value, status):
    publish_fields(owner, "name", RANK)
    imported = Imported(client, "Name,Rank\nA,1\nB,wibble\n", autoMap=True)

    answer = imported.put("values/p.rank", {"values": {"wibble": value}})

    assert answer.status_code == status
    assert imported.values("p.rank") == [1, 7 if status == 202 else None]

"""Value lists: sent, read, named by lookups, and kept at the version of an import."""

import json
from datetime import timedelta

import pytest

from common import clock
from eval import replays
from imports.answers.memory import save_profile
from imports.mapping.value_lists import is_used
from imports.models import ImportRecord, Profile
from imports.services.replays import replay, store
from references.models import ListVersion, ValueList
from references.value_lists import columns
from references.value_lists.services import forget_unused
from tests.imports.conftest import carry_on, owner
from tests.references.conftest import V1, entry, published

__all__ = ["owner", "published"]  # fixtures
pytestmark = pytest.mark.django_db
LIST = f"{V1}/value-lists/countries"
ROWS = [["DE", "Germany"], ["CH", "Switzerland"]]
STEP = {"do": "lookup", "column": "code", "into": "country", "valueList": "countries"}
TABLE = [{"no": "1", "code": "DE"}, {"no": "2", "code": "CH"}, {"no": "3", "code": "XX"}]


@pytest.fixture
def client(mint_key, client_of):
    return client_of(mint_key("tnt_owner", entitlements=("catalogEditor",)))


@pytest.fixture
def put(client):
    def put(rows=ROWS, address=LIST):
        return client.put(address, {"rows": rows}, format="json")

    return put


@pytest.fixture
def mapped(client, published):
    """Return a function that brings a table to review by a lookup; returns its address."""
    published([entry("order", "no", "country")])

    def mapped(step=STEP, table=TABLE):
        body = {"rows": table, "catalogKey": "t"}
        record_id = client.post(f"{V1}/imports", body, format="json").json()["recordId"]
        carry_on(client, record_id)
        address = f"{V1}/imports/{record_id}"
        mapping = {"no": "order.no", "country": "order.country"}
        recipe = {"version": 1, "steps": [step]}
        body = {"mapping": mapping, "recipe": recipe}
        answer = client.put(f"{address}/mapping", body, format="json")
        assert answer.status_code == 202, answer.content
        assert carry_on(client, record_id)["state"] == "review"
        return address

    return mapped


@pytest.fixture
def countries(client):
    def countries(address):
        body = {"view": {"filter": "all"}, "limit": 9}
        rows = client.post(f"{address}/rows/query", body, format="json").json()["rows"]
        return [row["values"]["order.country"] for row in rows]

    return countries


def read(client, **parameters):
    answer = client.get(LIST, parameters)
    return answer, b"".join(answer.streaming_content)


def test_a_list_is_read_as_it_was_sent(client, put):
    made = put()
    answer, text = read(client)

    assert (made.status_code, put().status_code) == (201, 200)
    shown = json.loads(text)
    assert shown == {**made.json(), "changedAt": shown["changedAt"], "rows": ROWS}
    assert (made.json()["key"], made.json()["rowCount"]) == ("countries", 2)
    unchanged = client.get(LIST, headers={"If-None-Match": answer["ETag"]})
    assert (unchanged.status_code, answer["ETag"]) == (304, f'"{made.json()["digest"]}"')


def test_csv_is_the_same_list(client, put):
    text = '\ufeffDE,Germany\r\n"CH","Switzer\nland"\r\n'
    sent = client.put(LIST, text.encode(), content_type="text/csv")
    answer, csv = read(client, format="csv")

    assert sent.status_code == 201, sent.content
    assert csv.decode() == 'DE,Germany\r\nCH,"Switzer\nland"\r\n'
    assert answer["Content-Type"].startswith("text/csv")
    same = put([["DE", "Germany"], ["CH", "Switzer\nland"]])
    assert sent.json()["digest"] == same.json()["digest"]


def test_as_many_rows_as_are_allowed_are_streamed_whole(client, put, monkeypatch):
    monkeypatch.setattr(columns, "MOST_ROWS", 12_000)
    rows = [[f"K{n}", f"Value {n}"] for n in range(12_000)]
    put(rows)

    assert json.loads(read(client)[1])["rows"] == rows
    refused = put([*rows, ["one", "more"]])
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_value_list")


@pytest.mark.parametrize(
    ("rows", "pointer"),
    [
        ([["DE", "Germany"], [" ", "x"]], "/rows/1"),
        ([["DE", "Germany"], ["DE ", "Deutschland"]], "/rows/1"),
        ([["DE"]], "/rows/0"),
        ([["DE", "x" * 1_001]], "/rows/0"),
        ([["DE", "a\0b"]], "/rows/0"),
        ([["DE", 1]], None),
        ([], None),
        ("DE", None),
    ],
)
def test_what_is_not_two_columns_of_text_is_refused_by_its_row(rows, pointer, put):
    answer = put(rows)

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_value_list")
    pointers = [error["pointer"] for error in answer.json().get("errors", [])]
    assert pointers == ([pointer] if pointer else [])
    assert not ValueList.objects.exists()


def test_a_list_that_is_not_there_says_so(client):
    for answer in (client.get(LIST), client.delete(LIST)):
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_value_list")
    wrong = client.put(f"{V1}/value-lists/A B", {"rows": ROWS}, format="json")
    assert (wrong.status_code, wrong.json()["code"]) == (400, "invalid_value_list")


def test_only_keys_that_may_edit_catalogs_change_lists_of_their_tenant(put, mint_key, client_of):
    put()
    reader = client_of(mint_key("tnt_owner"))
    stranger = client_of(mint_key("tnt_other", entitlements=("catalogEditor",)))

    assert reader.get(LIST).status_code == 200
    assert reader.put(LIST, {"rows": ROWS}, format="json").status_code == 403
    assert reader.delete(LIST).status_code == 403
    assert stranger.get(LIST).status_code == 404


def test_a_lookup_takes_the_values_of_a_list(client, put, mapped, countries):
    put()
    address = mapped()
    steps = client.get(f"{address}/mapping").json()["recipe"]["steps"]

    assert countries(address) == ["Germany", "Switzerland", None]
    assert steps == [{**STEP, "digest": ListVersion.objects.get().digest}]


def test_an_edit_and_an_explanation_look_up_again(client, put, mapped, countries):
    put()
    address = mapped()
    edits = [{"row": 0, "field": "order.no", "text": "9"}]
    body = {"revision": client.get(address).json()["revision"], "edits": edits}
    assert client.patch(f"{address}/rows", body, format="json").status_code == 200
    story = client.get(f"{address}/rows/1/explain").json()

    assert countries(address) == ["Germany", "Switzerland", None]
    assert "Switzerland" in json.dumps(story)


def test_an_import_keeps_the_version_it_was_made_with(client, put, mapped, countries, owner):
    put()
    address = mapped()
    put([["DE", "Allemagne"], ["CH", "Suisse"]])
    client.delete(LIST)
    record = ImportRecord.objects.get(public_id=address.rsplit("/", 1)[1])

    assert replay(record=record, at=clock.now()).is_identical
    forget_unused(before=clock.now() + timedelta(days=2), is_used=is_used)
    assert [version.columns.values for version in ListVersion.objects.all()] == [
        ("Germany", "Switzerland")
    ]
    again = client.get(f"{address}/mapping").json()
    body = {"mapping": again["mapping"], "recipe": again["recipe"]}
    assert client.put(f"{address}/mapping", body, format="json").status_code == 202
    carry_on(client, record.public_id)
    assert countries(address) == ["Germany", "Switzerland", None]


def test_a_mapping_that_is_confirmed_again_takes_the_newest_version(client, put, mapped, countries):
    put()
    address = mapped()
    put([["DE", "Allemagne"], ["CH", "Suisse"]])
    body = client.get(f"{address}/mapping").json()
    body = {"mapping": body["mapping"], "recipe": body["recipe"]}
    client.put(f"{address}/mapping", body, format="json")
    carry_on(client, address.rsplit("/", 1)[1])

    assert countries(address) == ["Allemagne", "Suisse", None]


def test_a_recipe_that_names_a_list_that_is_not_there_is_refused(client, published):
    published([entry("order", "no", "country")])
    body = {"rows": TABLE, "catalogKey": "t"}
    record_id = client.post(f"{V1}/imports", body, format="json").json()["recordId"]
    carry_on(client, record_id)
    sent = {"mapping": {"country": "order.country"}, "recipe": {"version": 1, "steps": [STEP]}}
    answer = client.put(f"{V1}/imports/{record_id}/mapping", sent, format="json")

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_recipe")
    (error,) = answer.json()["errors"]
    assert (error["pointer"], error["code"]) == ("/recipe/steps/0/valueList", "unknown_value_list")


@pytest.mark.parametrize("more", [{"rows": [["a", "b"]]}, {"valueList": None}])
def test_a_lookup_has_either_rows_or_a_list(more, client, published, put):
    put()
    published([entry("order", "no", "country")])
    body = {"rows": TABLE, "catalogKey": "t"}
    record_id = client.post(f"{V1}/imports", body, format="json").json()["recordId"]
    carry_on(client, record_id)
    step = {name: item for name, item in {**STEP, **more}.items() if item is not None}
    sent = {"mapping": {"country": "order.country"}, "recipe": {"version": 1, "steps": [step]}}
    answer = client.put(f"{V1}/imports/{record_id}/mapping", sent, format="json")

    assert answer.json()["errors"][0]["pointer"] == "/recipe/steps/0"


def test_a_page_names_no_list_of_its_own(client, put, mapped, client_of):
    put()
    address = mapped()
    opened = client.post(f"{V1}/sessions", {"catalogKey": "t"}, format="json")
    page = client_of(opened.json()["token"])
    body = {"rows": TABLE, "catalogKey": "t"}
    record_id = page.post(f"{V1}/imports", body, format="json").json()["recordId"]
    carry_on(page, record_id)
    sent = {"mapping": {"country": "order.country"}, "recipe": {"version": 1, "steps": [STEP]}}
    answer = page.put(f"{V1}/imports/{record_id}/mapping", sent, format="json")

    assert answer.status_code == 403, answer.content
    assert address


def test_a_remembered_mapping_uses_the_newest_version(client, put, mapped, countries, owner):
    put()
    record = ImportRecord.objects.get(public_id=mapped().rsplit("/", 1)[1])
    save_profile(record=record, at=clock.now())
    assert Profile.objects.get().recipe["steps"] == [STEP]
    put([["DE", "Allemagne"], ["CH", "Suisse"]])
    body = {"rows": TABLE, "catalogKey": "t", "autoMap": True}
    again = client.post(f"{V1}/imports", body, format="json").json()["recordId"]

    assert carry_on(client, again)["state"] == "review"
    assert countries(f"{V1}/imports/{again}") == ["Allemagne", "Suisse", None]


def test_an_import_whose_list_is_gone_fails_with_the_reason(client, put, mapped, owner):
    put()
    record = ImportRecord.objects.get(public_id=mapped().rsplit("/", 1)[1])
    save_profile(record=record, at=clock.now())
    client.delete(LIST)
    body = {"rows": TABLE, "catalogKey": "t", "autoMap": True}
    again = client.post(f"{V1}/imports", body, format="json").json()["recordId"]
    failed = carry_on(client, again)

    assert (failed["state"], failed["problem"]["code"]) == ("failed", "unknown_value_list")
    assert "countries" in failed["problem"]["detail"]


def test_versions_that_nothing_uses_are_forgotten_after_a_day(put):
    put()
    put([["FR", "France"]])
    now = clock.now()
    forget_unused(before=now - timedelta(days=1), is_used=is_used)
    assert ListVersion.objects.count() == 2
    forget_unused(before=now + timedelta(days=1), is_used=is_used)

    assert [version.columns.keys for version in ListVersion.objects.all()] == [("FR",)]


def test_a_stored_import_has_the_lists_that_it_was_made_with(put, mapped, tmp_path):
    put()
    record = ImportRecord.objects.get(public_id=mapped().rsplit("/", 1)[1])
    target = store(record=record, folder=tmp_path)
    stored = json.loads((target / "import.json").read_text("utf-8"))

    assert replays.replay(target, stored) == (stored["rows"], stored["sha256"])
    assert [keys for keys, _ in stored["lists"].values()] == [["DE", "CH"]]

"""The plan of an import: what its rows would change, before they are applied."""

import pytest

from changesets.comparison.known_rows import KnownRows
from changesets.models import Plan
from changesets.plans import current
from changesets.plans.computation import plan_of_base
from changesets.plans.pages import items_of
from common import storage
from imports.models import ImportRecord
from schemas.shapes.plans import shown_plan
from tests.references.conftest import V1, entry

pytestmark = pytest.mark.django_db
CITY, NAME, NUMBER = "customer.city", "customer.name", "customer.number"


def customers():
    """Return an entry that nothing refers to, with a key."""
    key = {"key": "number", "validations": [{"validate": "unique"}]}
    return [entry("customer", key, "name", "city")]


@pytest.fixture
def plan(client):
    """Return a function that reads the plan of an import."""

    def read(record, **params):
        answer = client.get(f"{V1}/imports/{record['recordId']}/plan", params)
        assert answer.status_code == 200, answer.content
        return answer.json()

    return read


@pytest.fixture
def edit(client):
    """Return a function that edits cells, or excludes rows, of an import."""

    def change(record, **body):
        address = f"{V1}/imports/{record['recordId']}"
        revision = client.get(address).json()["revision"]
        answer = client.patch(f"{address}/rows", {"revision": revision, **body}, format="json")
        assert answer.status_code == 200, answer.content

    return change


def cell(row, field, text):
    return {"row": row, "field": field, "text": text}


def test_rows_of_an_entity_that_nothing_refers_to_are_planned(published, know, bring, plan):
    published(customers())
    know(
        "customer",
        _1={"number": "C-1", "name": "Ada", "city": "Berlin"},
        _2={"number": "C-2", "name": "Bo"},
        _7={"number": "C-7"},
    )

    record = bring(
        {NUMBER: ["C-1", "C-2", "C-3"], NAME: ["Ada", "Bob", "Cy"], CITY: ["Bonn", None, "Rome"]}
    )
    planned = plan(record)

    assert planned["counts"] == {
        "new": 1, "changed": 2, "unchanged": 0, "unclear": 0, "missing": 1
    }  # fmt: skip
    assert planned["entities"] == [{"entity": "customer", "known": 3, "missing": 1}]
    assert planned["changedFields"] == [{"field": CITY, "rows": 1}, {"field": NAME, "rows": 1}]
    assert planned["items"] == [
        {
            "row": 0,
            "status": "changed",
            "refs": {"customer": "1"},
            "changes": [{"field": CITY, "before": "Berlin", "after": "Bonn"}],
            "values": None,
            "held": [],
        },
        {
            "row": 1,
            "status": "changed",
            "refs": {"customer": "2"},
            "changes": [{"field": NAME, "before": "Bo", "after": "Bob"}],
            "values": None,
            "held": [],
        },
        {"row": 2, "status": "new", "refs": {}, "changes": [], "values": None, "held": []},
    ]
    assert planned["next"] is None
    assert plan(record, status="missing")["items"] == [
        {
            "row": None,
            "status": "missing",
            "refs": {"customer": "7"},
            "changes": [],
            "values": {"number": "C-7"},
            "held": [],
        }
    ]


def test_a_row_with_an_error_or_left_out_is_not_missing(published, know, bring, plan, edit):
    number = {"key": "number", "validations": [{"validate": "unique"}]}
    published([entry("customer", number, {"key": "city", "required": True})])
    know("customer", **{f"_{n}": {"number": f"C-{n}", "city": "Berlin"} for n in range(4)})
    record = bring({NUMBER: ["C-0", "C-1", "C-2"], CITY: ["Berlin", None, "Bonn"]})

    assert plan(record)["counts"] == {
        "new": 0, "changed": 1, "unchanged": 1, "unclear": 0, "missing": 1
    }  # fmt: skip
    edit(record, exclude=[0])
    counts = plan(record)["counts"]
    assert (counts["unchanged"], counts["missing"]) == (0, 1)
    assert [item["refs"] for item in plan(record, status="missing")["items"]] == [{"customer": "3"}]


def test_a_plan_is_read_in_pages_of_a_status(published, know, bring, plan):
    published(customers())
    know("customer", **{f"_{n}": {"number": f"C-{n}", "name": "Ada"} for n in range(5)})
    names = ["Ada", "Bo", "Cy", "Ada", "Di", "Eve"]
    record = bring({NUMBER: [f"C-{n}" for n in range(5)] + ["D-1"], NAME: names})

    first = plan(record, status="changed", limit=2)
    second = plan(record, status="changed", limit=2, cursor=first["next"])

    assert [item["row"] for item in first["items"]] == [1, 2]
    assert [item["row"] for item in second["items"]] == [4]
    assert second["next"] is None
    assert [item["row"] for item in plan(record, status="new")["items"]] == [5]


def test_what_is_missing_is_read_in_pages(published, know, bring, plan):
    published(customers())
    know("customer", **{f"_{n}": {"number": f"C-{n}"} for n in range(5)})
    record = bring({NUMBER: ["C-3"]})

    first = plan(record, status="missing", limit=3)
    second = plan(record, status="missing", limit=3, cursor=first["next"])

    refs = [item["refs"]["customer"] for item in first["items"] + second["items"]]
    assert refs == ["0", "1", "2", "4"]
    assert second["next"] is None


@pytest.fixture
def page_in(client, client_of):
    """Return a function that opens a session of a scope and returns its client."""

    def opened(scope, *rights):
        terms = {"catalogKey": "t", "scope": scope, "rights": list(rights)}
        session = client.post(f"{V1}/sessions", terms, format="json")
        return client_of(session.json()["token"])

    return opened


def test_a_page_without_the_right_reads_no_plan(published, know, bring, page_in):
    published(customers())
    know("customer", scope="acme", _1={"number": "C-1"}, _2={"number": "C-2", "name": "Ada"})
    record = bring({NUMBER: ["C-1"]}, scope="acme")

    answer = page_in("acme", "revert").get(f"{V1}/imports/{record['recordId']}/plan")

    assert (answer.status_code, answer.json()["code"]) == (403, "right_required")
    assert answer.json()["rights"] == ["seeChanges"]
    assert "C-1" not in answer.content.decode()


def test_a_page_with_the_right_sees_what_its_scope_knows_and_nothing_else(
    published, know, bring, page_in
):
    published(customers())
    know("customer", scope="acme", _1={"number": "C-1", "name": "Ada"}, _2={"number": "C-2"})
    know("customer", scope="other", _3={"number": "C-3", "name": "Bo"})
    record = bring({NUMBER: ["C-1"], NAME: ["Eve"]}, scope="acme")
    address = f"{V1}/imports/{record['recordId']}/plan"
    page = page_in("acme", "seeChanges")

    planned = page.get(address).json()
    missing = page.get(address, {"status": "missing"}).json()

    assert planned["entities"] == [{"entity": "customer", "known": 2, "missing": 1}]
    assert planned["items"][0]["changes"] == [{"field": NAME, "before": "Ada", "after": "Eve"}]
    assert [item["values"] for item in missing["items"]] == [{"number": "C-2"}]
    assert page_in("other", "seeChanges").get(address).status_code == 404


def test_staff_without_that_permission_do_not_see_what_is_known(published, know, bring):
    published(customers())
    know("customer", _1={"number": "C-1"}, _2={"number": "C-2", "name": "Ada"})
    record = ImportRecord.objects.get(public_id=bring({NUMBER: ["C-1"]})["recordId"])
    planned = current.plan_of(record)
    items = items_of(record, planned, status="missing", cursor="", limit=10, sees_known=False)

    shown = shown_plan(planned, items, 10, sees_known=False)

    assert (shown["entities"], shown["items"]) == ([], [])
    assert "missing" not in shown["counts"]


@pytest.mark.parametrize(("status", "cursor"), [("changed", "x"), ("missing", "nowhere")])
def test_a_cursor_of_no_page_is_refused(published, know, bring, client, status, cursor):
    published(customers())
    know("customer", _1={"number": "C-1"})
    record = bring({NUMBER: ["C-3"]})
    address = f"{V1}/imports/{record['recordId']}/plan"

    refused = client.get(address, {"status": status, "cursor": cursor})

    assert refused.status_code == 400
    assert refused.json()["errors"][0]["parameter"] == "cursor"


def test_after_an_edit_only_the_edited_rows_are_compared(
    published, know, bring, plan, edit, monkeypatch
):
    published(customers())
    know("customer", **{f"_{n}": {"number": f"C-{n}", "name": "Ada"} for n in range(4)})
    record = bring({NUMBER: [f"C-{n}" for n in range(4)], NAME: ["Ada", "Ada", "Bo", "Bo"]})
    before = plan(record)["counts"]
    compared = []
    planned = KnownRows.planned
    monkeypatch.setattr(
        KnownRows, "planned", lambda self, rows: compared.append(len(rows)) or planned(self, rows)
    )

    edit(record, edits=[cell(0, NAME, "Cy"), cell(2, NAME, "Ada")])
    edit(record, edits=[cell(3, NUMBER, "C-9")])
    after = plan(record)

    assert before == {"new": 0, "changed": 2, "unchanged": 2, "unclear": 0, "missing": 0}
    assert after["counts"] == {"new": 1, "changed": 1, "unchanged": 2, "unclear": 0, "missing": 1}
    assert after["items"][0]["changes"] == [{"field": NAME, "before": "Ada", "after": "Cy"}]
    assert compared == [3]
    edit(record, edits=[cell(0, NAME, "Ada")])
    assert plan(record)["counts"]["changed"] == 0
    assert compared == [3, 1]


def test_an_undo_brings_the_plan_back(published, know, bring, plan, edit, client):
    published(customers())
    know("customer", _1={"number": "C-1", "name": "Ada"})
    record = bring({NUMBER: ["C-1", "C-2"], NAME: ["Ada", "Bo"]})
    whole = plan(record)
    edit(record, edits=[cell(0, NAME, "Cy")])
    edited = plan(record)

    revision = {"revision": edited["revision"]}
    client.post(f"{V1}/imports/{record['recordId']}/undo", revision, format="json")

    assert plan(record) == whole
    assert edited["counts"]["changed"] == 1


def test_rows_that_are_excluded_or_wrong_are_not_in_the_plan(published, know, bring, plan, edit):
    published(customers())
    know("customer", _1={"number": "C-1"}, _2={"number": "C-2"})
    record = bring({NUMBER: ["C-1", "C-2", "C-5", "C-5"]})

    assert [item["row"] for item in plan(record)["items"]] == [0, 1, 2]
    edit(record, exclude=[1])
    edit(record, edits=[cell(3, NUMBER, "C-6")])
    assert [item["row"] for item in plan(record)["items"]] == [0, 2, 3]
    assert plan(record)["counts"]["missing"] == 0  # the file names it


def test_a_plan_follows_what_is_known(published, know, bring, plan):
    published(customers())
    know("customer", _1={"number": "C-1", "name": "Ada"})
    record = bring({NUMBER: ["C-1", "C-2"], NAME: ["Ada", "Bo"]})
    assert plan(record)["counts"]["new"] == 1

    know("customer", _2={"number": "C-2", "name": "Bob"})

    assert plan(record)["counts"] == {
        "new": 0, "changed": 1, "unchanged": 1, "unclear": 0, "missing": 0
    }  # fmt: skip


def test_what_the_whole_tenant_knows_is_not_missing_from_a_scope(published, know, bring, plan):
    published(customers())
    know("customer", _1={"number": "C-1", "name": "Ada"}, _2={"number": "C-2"})
    know("customer", "north", _9={"number": "C-9"})
    record = bring({NUMBER: ["C-1"], NAME: ["Bo"]}, scope="north")

    planned = plan(record)

    assert planned["items"][0]["refs"] == {"customer": "1"}
    assert planned["entities"] == [{"entity": "customer", "known": 1, "missing": 1}]
    assert [i["refs"] for i in plan(record, status="missing")["items"]] == [{"customer": "9"}]


def test_several_known_entities_of_a_key_are_unclear(published, know, bring, plan):
    published(customers())
    know("customer", _1={"number": "C-1"}, _2={"number": "C-1"})

    assert plan(bring({NUMBER: ["C-1"]}))["counts"]["unclear"] == 1


@pytest.mark.parametrize("scope", ["", "north"])
def test_entities_that_share_a_key_of_the_file_are_not_missing(
    published, know, bring, plan, edit, scope
):
    published(customers())
    know("customer", _8={"number": "C-1"}, _9={"number": "C-9"})
    shared = {f"_{n}": {"number": "C-1"} for n in range(3)}
    know("customer", scope, **shared, _4={"number": "C-4"}, _5={"number": "C-5"})
    record = bring({NUMBER: ["C-1", "C-1", "C-4"]}, **({"scope": scope} if scope else {}))
    lost = ["5"] if scope else ["5", "9"]

    def missing():
        planned, items = plan(record), plan(record, status="missing")["items"]
        assert planned["counts"]["missing"] == len(items)
        assert all(not i["refs"] for i in planned["items"] if i["status"] == "unclear")
        return [item["refs"]["customer"] for item in items]

    assert missing() == lost
    edit(record, edits=[cell(0, NUMBER, "C-5")])
    assert missing() == lost[1:]
    edit(record, edits=[cell(1, NUMBER, "D-1")])
    own = ["0", "1", "2"] if scope else ["0", "1", "2", "8", "9"]
    assert missing() == own


def test_the_key_of_a_left_out_row_is_named_by_all_that_share_it(
    published, know, bring, plan, edit
):
    published(customers())
    know("customer", _1={"number": "C-1"}, _2={"number": "C-1"}, _3={"number": "C-3"})
    record = bring({NUMBER: ["C-1", "C-3"]})

    edit(record, exclude=[0])

    assert plan(record)["counts"]["missing"] == 0
    assert plan(record, status="missing")["items"] == []


def test_where_nothing_is_known_every_row_is_new(published, bring, plan):
    published(customers())
    planned = plan(bring({NUMBER: ["C-1", "C-2"]}))

    assert planned["entities"] == []
    assert planned["counts"]["new"] == 2
    assert [item["status"] for item in planned["items"]] == ["new", "new"]


def test_a_plan_says_what_its_changeset_will_say(
    published, know, bring, plan, apply, client, webhook
):
    published(customers())
    know("customer", _1={"number": "C-1", "name": "Ada"}, _2={"number": "C-2"})
    record = bring({NUMBER: ["C-1", "C-2", "C-3"], NAME: ["Bo", None, "Cy"]})
    planned = plan(record)

    webhook("submit")
    applied = apply(record)

    changeset = client.get(f"{V1}/changesets?recordId={applied['recordId']}").json()["items"][0]
    rows = client.get(f"{V1}/changesets/{changeset['id']}/rows").json()["items"]
    shown = [(i["row"], i["status"], i["changes"]) for i in planned["items"]]
    assert [(row["row"], row["status"], row["differences"]) for row in rows] == shown
    assert {k: v for k, v in changeset["counts"].items() if v and k in planned["counts"]} == {
        status: count for status, count in planned["counts"].items() if count
    }


def test_a_purged_import_keeps_no_plan(published, know, bring, plan, client):
    published(customers())
    know("customer", _1={"number": "C-1"})
    record = bring({NUMBER: ["C-1"]})
    plan(record)
    (stored,) = Plan.objects.all()

    assert client.delete(f"{V1}/imports/{record['recordId']}").status_code == 204

    assert not Plan.objects.exists()
    assert not storage.local_path(stored.folder).exists()


def test_a_plan_that_is_computed_while_its_import_is_deleted_is_not_kept(
    published, know, bring, client, monkeypatch
):
    published(customers())
    know("customer", _1={"number": "C-1"})
    record = bring({NUMBER: ["C-1"]})
    address = f"{V1}/imports/{record['recordId']}"

    def compute_and_lose(*arguments):
        plan = plan_of_base(*arguments)
        assert client.delete(address).status_code == 204
        return plan

    monkeypatch.setattr(current, "plan_of_base", compute_and_lose)
    answer = client.get(f"{address}/plan")

    assert answer.status_code in {404, 409}
    assert not Plan.objects.exists()
    assert list(storage.root().glob("plans/*")) == []


def test_an_import_that_clears_with_empty_cells_plans_it(published, know, bring, plan):
    published(customers())
    know("customer", _1={"number": "C-1", "name": "Ada"})
    columns = {NUMBER: ["C-1"], NAME: [None]}

    assert plan(bring(columns))["counts"]["unchanged"] == 1
    (item,) = plan(bring(columns, emptyCells="clear"))["items"]
    assert item["changes"] == [{"field": NAME, "before": "Ada", "after": None}]

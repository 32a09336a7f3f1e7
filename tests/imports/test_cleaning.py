"""Bulk changes have a preview, and are undone in one step."""

from ipaddress import ip_network

import pytest

from tests.deliveries.conftest import make_host
from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.received import delivered_to

__all__ = ["make_host"]  # fixtures

DUE = {"key": "due", "columnType": "date"}
AMOUNT = {"key": "amount", "columnType": "float"}
MAIL = {"key": "mail", "columnType": "email"}
NUMBER = {"key": "number", "validations": [{"validate": "unique"}]}
DATES = "Name,Due,Mail\n" + "".join(
    f"n{number},{text},{mail}\n"
    for number, (text, mail) in enumerate(
        [("25.12.2024", "a@b.de"), ("24.12.2024", "x"), ("23.12.2024", "y"), ("22.12.2024", ""),
         ("12/31/2024", "c@d.de"), ("12/30/2024", "z"), ("garbage 7", "")]
    )
)  # fmt: skip
ORDERS = (
    "Number,Name,Mail\nA1,Ada,\nA2,Bob,b@b.de\nA1,,a@a.de\nA1,Ada,x@a.de\nA3,Cyd,\nA2,Bob,b@b.de\n"
)


@pytest.fixture
def host(client, make_host, settings):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    host = make_host()
    client.post(f"{V1}/webhooks", {"url": host.url}, format="json")
    return host


@pytest.fixture
def dated(owner, client):
    publish_fields(owner, "name", DUE, MAIL)
    imported = Imported(client, DATES)
    imported.put("mapping", {"mapping": {"Name": "p.name", "Due": "p.due", "Mail": "p.mail"}})
    assert imported.state == "review", imported.record
    return imported


@pytest.fixture
def ordered(owner, client):
    publish_fields(owner, NUMBER, "name", MAIL)
    imported = Imported(client, ORDERS, autoMap=True)
    assert imported.state == "review", imported.record
    return imported


def offered(imported):
    groups = imported.client.get(imported.url("issues/fixes")).json()["groups"]
    return {(group["field"], group["code"]): group for group in groups}


def fixed(imported, field, code, how, **members):
    body = {"revision": imported.revision, "field": field, "code": code, **how, **members}
    answer = imported.client.post(imported.url("rows/fix"), body, format="json")
    assert answer.status_code == 200, answer.json()
    imported.record["revision"] = answer.json()["revision"]
    return answer.json()


def resolve(imported, **members):
    body = {"revision": imported.revision, **members}
    answer = imported.client.post(imported.url("duplicates"), body, format="json")
    assert answer.status_code == 200, answer.json()
    imported.record["revision"] = answer.json()["revision"]
    return answer.json()


@pytest.fixture(autouse=True)
def newest_revision(monkeypatch):
    monkeypatch.setattr(Imported, "revision", property(lambda self: self.record["revision"]),
                        raising=False)  # fmt: skip


@pytest.mark.django_db
def test_each_group_offers_the_fixes_that_help_with_examples(dated):
    group = offered(dated)["p.due", "not_a_date"]
    by_reading = {fix["how"].get("readAs"): fix for fix in group["fixes"]}

    assert group["count"] == 3
    assert by_reading["mdy"]["mends"] == 2
    assert by_reading["mdy"]["examples"] == [
        {"row": 4, "before": "12/31/2024", "after": "2024-12-31"},
        {"row": 5, "before": "12/30/2024", "after": "2024-12-30"},
    ]
    assert [fix["how"] for fix in group["fixes"]][-1] == {"exclude": True}


@pytest.mark.django_db
def test_an_offer_mends_as_many_rows_as_it_said_and_touches_no_valid_cell(dated):
    before = dated.values("p.due")
    for key, group in offered(dated).items():
        for fix in group["fixes"]:
            preview = fixed(dated, *key, fix["how"], preview=True)
            assert preview["cells"] == fix["mends"], (key, fix)

    fixed(dated, "p.due", "not_a_date", {"readAs": "mdy"})

    after = dated.values("p.due")
    assert [new for new, old in zip(after, before, strict=True) if old] == [d for d in before if d]
    assert after[4:6] == ["2024-12-31", "2024-12-30"]
    back = {"revision": dated.revision}
    assert dated.client.post(dated.url("undo"), back, format="json").status_code == 200
    assert dated.values("p.due") == before


@pytest.mark.django_db
def test_a_field_that_must_be_filled_is_not_offered_to_be_emptied(owner, client):
    publish_fields(owner, "name", {**MAIL, "required": True})
    imported = Imported(client, "Name,Mail\nAda,x\n", autoMap=True)

    ways = [fix["how"] for fix in offered(imported)["p.mail", "not_an_email"]["fixes"]]

    assert ways == [{"exclude": True}]


@pytest.mark.django_db(transaction=True)
def test_offered_fixes_go_from_the_file_to_the_receiver(dated, host):
    fixed(dated, "p.due", "not_a_date", {"readAs": "mdy"})
    fixed(dated, "p.due", "not_a_date", {"text": None})
    fixed(dated, "p.mail", "not_an_email", {"text": None})

    applied = dated.apply(openQuestions="dismiss")
    assert applied.status_code == 202, applied.json()
    (body,) = delivered_to(host)

    assert [row["p.due"] for row in body["rows"]] == [
        *(f"2024-12-{day}" for day in (25, 24, 23, 22, 31, 30)),
        None,
    ]


@pytest.mark.django_db
def test_equal_rows_are_shown_as_groups(ordered):
    by_rule = ordered.client.get(ordered.url("duplicates")).json()
    by_all = ordered.client.get(ordered.url("duplicates"), {"by": "all"}).json()

    assert [(g["fields"], g["rows"]) for g in by_rule["items"]] == [
        (["p.number"], [0, 2, 3]),
        (["p.number"], [1, 5]),
    ]
    assert (by_rule["groups"], by_rule["rows"], by_rule["next"]) == (2, 5, None)
    assert [g["rows"] for g in by_all["items"]] == [[1, 5]]


@pytest.mark.django_db
def test_groups_come_by_pages(ordered):
    first = ordered.client.get(ordered.url("duplicates"), {"limit": 1}).json()
    more = {"limit": 1, "cursor": first["next"]}
    second = ordered.client.get(ordered.url("duplicates"), more).json()

    assert [first["items"][0]["rows"], second["items"][0]["rows"]] == [[0, 2, 3], [1, 5]]
    assert second["next"] is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("keep", "left"),
    [("first", [0, 1, 4]), ("last", [3, 4, 5]), ("fullest", [1, 3, 4]), ("merge", [0, 1, 4])],
)
def test_groups_are_resolved_in_one_step_and_one_undo(ordered, keep, left):
    counted = resolve(ordered, keep=keep, preview=True)
    changed = resolve(ordered, keep=keep)

    query = {"view": {"filter": "all"}}
    rows = ordered.client.post(ordered.url("rows/query"), query, format="json").json()["rows"]
    assert [row["row"] for row in rows if not row["excluded"]] == left
    assert counted["excluded"] == 3
    assert changed["counts"]["excluded"] == 3
    assert changed["counts"]["error"] == 0
    if keep == "merge":
        assert (rows[0]["values"]["p.mail"], counted["filled"]) == ("a@a.de", 1)
    back = {"revision": ordered.revision}
    undone = ordered.client.post(ordered.url("undo"), back, format="json").json()
    assert undone["counts"]["excluded"] == 0


@pytest.mark.django_db
def test_rows_that_changed_since_are_not_resolved(ordered):
    seen = ordered.revision
    edit = {"revision": seen, "edits": [{"row": 2, "field": "p.number", "text": "A9"}]}
    ordered.client.patch(ordered.url("rows"), edit, format="json")

    body = {"revision": seen, "keep": "first"}
    refused = ordered.client.post(ordered.url("duplicates"), body, format="json")

    assert (refused.status_code, refused.json()["code"]) == (409, "rows_changed")


@pytest.mark.django_db(transaction=True)
def test_merged_rows_go_from_the_file_to_the_receiver(ordered, host):
    resolve(ordered, keep="merge")

    ordered.apply()
    (body,) = delivered_to(host)

    assert [tuple(row.values()) for row in body["rows"]] == [
        ("A1", "Ada", "a@a.de"), ("A2", "Bob", "b@b.de"), ("A3", "Cyd", None)]  # fmt: skip

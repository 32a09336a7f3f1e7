"""Unmapped columns are delivered with the rows if the import requests them."""

from ipaddress import ip_network

import pytest

from tests.deliveries.conftest import answers, make_host
from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.received import delivered_to

__all__ = ["make_host"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)  # the dispatcher's threads
TEXT = 'Name,Note,First,Last\nAda,"a ""b"", c",A,L\nBob,,B,O\nCyd,=1+1,C,\n'


@pytest.fixture
def host(client, make_host, settings):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    host = make_host()
    host.webhook = client.post(f"{V1}/webhooks", {"url": host.url}, format="json").json()
    return host


def imported(client, text=TEXT, mapping=None, recipe=None, **members):
    upload = Imported(client, text, **members)
    wanted = {"mapping": mapping or {"Name": "p.name"}, "recipe": recipe}
    assert upload.put("mapping", wanted).status_code == 202
    return upload


def test_unmapped_columns_are_next_to_the_rows_of_a_body(owner, client, host):
    publish_fields(owner, "name")
    upload = imported(client, keepUnmapped=True)

    upload.apply()
    (body,) = delivered_to(host)

    assert upload.record["keepUnmapped"] is True
    assert body["rows"] == [{"p.name": "Ada"}, {"p.name": "Bob"}, {"p.name": "Cyd"}]
    assert body["unmapped"] == {
        "columns": ["Note", "First", "Last"],
        "rows": [['a "b", c', "A", "L"], [None, "B", "O"], ["=1+1", "C", None]],
    }


def test_without_the_wish_a_body_has_no_such_member(owner, client, host):
    publish_fields(owner, "name")

    imported(client).apply()

    assert "unmapped" not in delivered_to(host)[0]


def test_a_file_whose_every_column_feeds_a_field_has_nothing_next_to_its_rows(owner, client, host):
    publish_fields(owner, "name")

    imported(client, "Name\nAda\n", keepUnmapped=True).apply()

    assert "unmapped" not in delivered_to(host)[0]


def test_what_a_recipe_made_a_field_of_is_mapped(owner, client, host):
    publish_fields(owner, "name")
    step = {"do": "join", "columns": ["First", "Last"], "separator": " ", "into": "Whole"}

    recipe = {"version": 1, "steps": [step]}
    imported(client, mapping={"Whole": "p.name"}, recipe=recipe, keepUnmapped=True).apply()

    assert delivered_to(host)[0]["unmapped"]["columns"] == ["Name", "Note"]


def test_the_cells_follow_their_rows_into_parts_and_past_rows_that_are_left_out(
    owner, client, make_host, settings
):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    host = make_host(answers(413), answers(200))
    client.post(f"{V1}/webhooks", {"url": host.url}, format="json")
    publish_fields(owner, "name")
    text = "Name,N\n" + "".join(f"n{number},{number}\n" for number in range(6))
    upload = imported(client, text, keepUnmapped=True)
    change = {"revision": upload.record["revision"], "exclude": [1]}
    client.patch(upload.url("rows"), change, format="json")

    upload.apply()
    (body,) = delivered_to(host)
    sent = client.get(f"{V1}/deliveries").json()["items"][0]["id"]
    parted = {"maxRowsPerDelivery": 2}
    client.post(f"{V1}/deliveries/{sent}/resend", parted, format="json")
    _, *parts = delivered_to(host)

    assert body["unmapped"]["rows"] == [["0"], ["2"], ["3"], ["4"], ["5"]]
    parts.sort(key=lambda part: part["batch"]["index"])
    cut = [[cells for (cells,) in part["unmapped"]["rows"]] for part in parts]
    names = [[row["p.name"][1:] for row in part["rows"]] for part in parts]
    assert cut == names == [["0", "2"], ["3", "4"], ["5"]]
    assert all(part["unmapped"]["columns"] == ["N"] for part in parts)


def test_two_thousand_unmapped_columns_arrive(owner, client, host):
    publish_fields(owner, "name")
    names = [f"extra {number}" for number in range(2_000)]
    cells = [[f"{row}-{number}" for number in range(2_000)] for row in range(3)]
    lines = [",".join(["Name", *names])]
    lines += [",".join([f"n{row}", *some]) for row, some in enumerate(cells)]
    upload = imported(client, "\n".join(lines) + "\n", keepUnmapped=True)

    upload.apply()
    (body,) = delivered_to(host)

    assert body["unmapped"] == {"columns": names, "rows": cells}
    assert list(body["rows"][0]) == ["p.name"]


def test_results_have_them_too(owner, client):
    publish_fields(owner, "name")
    upload = imported(client, keepUnmapped=True)
    upload.apply(applyMode="browser")

    page = client.get(upload.url("results"), {"cursor": 1, "limit": 1}).json()

    assert page["items"] == [{"p.name": "Bob"}]
    assert page["unmapped"] == {"columns": ["Note", "First", "Last"], "rows": [[None, "B", "O"]]}


def test_a_revert_carries_the_very_same_cells(owner, client, host):
    publish_fields(owner, "name")
    client.delete(f"{V1}/webhooks/{host.webhook['id']}")
    url = host.url + "/2"
    client.post(f"{V1}/webhooks", {"url": url, "actions": ["submit", "revert"]}, format="json")
    upload = imported(client, keepUnmapped=True)
    upload.apply()
    delivered_to(host, url)

    changeset = upload.record["changesetId"]
    client.post(f"{V1}/changesets/{changeset}/revert", {}, format="json")
    Imported.of(client, upload.record).apply()
    submitted, reverted = delivered_to(host, url)

    assert reverted["action"] == "revert"
    assert reverted["unmapped"] == submitted["unmapped"]

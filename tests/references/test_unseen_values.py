"""A page sees what is known only with the right to it, before and after an apply."""

import pytest

from tests.imports.conftest import carry_on
from tests.references.conftest import V1, entry, orders

pytestmark = pytest.mark.django_db
SECRET, SCOPE = "Berlin by hand", "acme"


@pytest.fixture
def page(client, client_of, published):
    """Return a function that opens a page of a scope with some rights."""

    def open_page(*rights):
        wanted = {"catalogKey": "t", "scope": SCOPE, "rights": list(rights), "applyMode": "browser"}
        opened = client.post(f"{V1}/sessions", wanted, format="json")
        assert opened.status_code == 201, opened.content
        return client_of(opened.json()["token"])

    return open_page


def applied(page, rows, **wishes):
    """Import rows as a page does, and apply them; return the ids of import and changeset."""
    made = page.post(f"{V1}/imports", {"rows": rows, "catalogKey": "t"}, format="json").json()
    address = f"{V1}/imports/{made['recordId']}"
    carry_on(page, made["recordId"])
    mapping = {"mapping": {name: name for name in rows[0]}}
    page.put(f"{address}/mapping", mapping, format="json")
    assert carry_on(page, made["recordId"])["state"] == "review"
    answer = page.post(f"{address}/apply", wishes, format="json")
    assert answer.status_code == 202, answer.content
    return made["recordId"], carry_on(page, made["recordId"])["changesetId"]


def shown(page, record_id, changeset_id) -> str:
    """Return everything that an import and its changeset show."""
    addresses = [
        f"changesets/{changeset_id}",
        f"changesets/{changeset_id}/rows",
        f"changesets/{changeset_id}/references",
        f"imports/{record_id}/export?rows=applied&format=csv",
        f"imports/{record_id}/references",
        f"imports/{record_id}/results",
        f"imports/{record_id}/plan",
    ]
    answers = [page.get(f"{V1}/{address}") for address in addresses]
    return "".join(
        b"".join(answer.streaming_content).decode() if answer.streaming else answer.content.decode()
        for answer in answers
    )


@pytest.mark.parametrize("wishes", [{"staged": True}, {}], ids=["staged", "applied"])
@pytest.mark.parametrize(("rights", "sees"), [((), False), (("seeChanges",), True)])
def test_a_former_value_is_seen_with_the_right_alone(published, know, page, wishes, rights, sees):
    key = {"key": "number", "validations": [{"validate": "unique"}]}
    published([entry("customer", key, "city")])
    know("customer", scope=SCOPE, _1={"number": "C-1", "city": SECRET})
    opened = page(*rights)

    ids = applied(opened, [{"customer.number": "C-1", "customer.city": "Bonn"}], **wishes)

    assert (SECRET in shown(opened, *ids)) is sees
    statuses = opened.get(f"{V1}/changesets/{ids[1]}/rows").json()["items"]
    assert [item["status"] for item in statuses] == ["changed"]


@pytest.mark.parametrize(("rights", "sees"), [((), False), (("seeChanges",), True)])
def test_values_of_an_entity_that_is_referred_to_are_seen_with_the_right_alone(
    published, know, page, rights, sees
):
    published(orders())
    know("customer", scope=SCOPE, _1={"number": "C-1", "name": "Ada", "note": SECRET})
    opened = page(*rights)

    ids = applied(opened, [{"order.no": "1", "order.customer": "C-1"}])

    assert (SECRET in shown(opened, *ids)) is sees

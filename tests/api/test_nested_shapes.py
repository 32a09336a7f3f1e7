"""Parents with children, from files of five shapes to a shop that gets them nested, and back."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from deliveries.services.attempt import new_client
from deliveries.services.dispatch import Dispatcher
from tests.api.test_whole_walk import V1, Person, person
from tests.deliveries.conftest import make_host
from tests.nested_shapes import (
    COMPANIES,
    CUSTOMERS,
    HEADS_ONCE,
    INVOICED,
    INVOICES,
    LISTS,
    NUMBERED,
    ORDERED,
    ORDERS,
    Json,
    Shop,
    invoice,
    two_sheets,
)

__all__ = ["make_host", "person"]  # fixtures
# The dispatcher's threads have connections of their own.
pytestmark = pytest.mark.django_db(transaction=True)


class Walk:
    """A person who imports one file into one catalog, and the shop that gets its parents."""

    def __init__(self, person: Person, make_host, entries: list[Json], *parents: Json) -> None:
        self.person, self.host = person, make_host()
        self.shop = Shop(f"{entries[0]['id']}.number", *parents)
        hook = {"url": self.host.url, "actions": ["submit", "revert"], "nested": True}
        self.shop.url = self.host.url
        self.shop.secret = person.call("post", "webhooks", hook, expect=201)["signingSecret"]
        person.call("put", "catalogs/shape/draft", {"key": "shape", "entries": entries})
        person.call("post", "catalogs/shape/publish")

    def upload(self, name: str, content: bytes | str) -> None:
        """Upload the file and have it read."""
        content = content.encode() if isinstance(content, str) else content
        file = SimpleUploadedFile(name, content)
        made = self.person.call("post", "imports", data={"file": file}, expect=202)
        self.person.url = f"{V1}/imports/{made['recordId']}"
        assert self.person.record()["state"] == "mapping"

    def answer(self, kind: str) -> Json:
        """Answer the only question of a kind with its proposal; return the question."""
        questions = self.person.call("get", "/questions")["items"]
        (question,) = [item for item in questions if item["kind"] == kind]
        body = {"value": question["default"]}
        self.person.call("post", f"questions/{question['id']}/answer", body, expect=202)
        self.person.record()
        return question

    def confirm(self) -> None:
        """Confirm the proposed mapping; no row has an error."""
        proposed = self.person.call("get", "/mapping")["proposed"]
        body = {name: proposed[name] for name in ("mapping", "recipe")}
        self.person.call("put", "/mapping", body, expect=202)
        record = self.person.record()
        assert (record["state"], record["counts"]["error"]) == ("review", 0)

    def apply(self) -> Json:
        """Apply the rows; return the delivery that the shop took."""
        self.person.call("post", "/apply", {}, expect=202)
        assert self.person.record()["state"] == "applied"
        return self._dispatched()

    def revert(self) -> Json:
        """Revert the import; return the delivery that the shop took."""
        changeset = self.person.record()["changesetId"]
        self.person.call("post", f"changesets/{changeset}/revert", {}, expect=202)
        self.person.record()
        return self._dispatched()

    def _dispatched(self) -> Json:
        Dispatcher(client=new_client()).run()
        (received,) = self.host.received
        self.host.received.clear()
        return self.shop.take(received)


def check(walk: Walk, expected: list[Json], *, rows: int) -> None:
    """Check what the shop has after the apply, and that a revert leaves it as it was."""
    before = json.loads(json.dumps(walk.shop.parents))

    submitted = walk.apply()

    arrived = {parent[walk.shop.key]: parent for parent in expected}
    assert walk.shop.parents == {**before, **arrived}
    assert (submitted["rowCount"], submitted["parentCount"]) == (rows, len(expected))
    assert before.keys() & arrived.keys()  # one is replaced
    assert before.keys() - arrived.keys()  # one is not touched
    reverted = walk.revert()
    assert (reverted["action"], reverted["rows"]) == ("revert", submitted["rows"])
    assert walk.shop.parents == before


EARLIER = (
    {"order.number": "A-1", "order.buyer": "Ada", "order.ordered": None, "line": []},
    {"order.number": "Z-9", "order.buyer": "Zoë", "order.ordered": None, "line": []},
)


@pytest.fixture
def ordering(person, make_host) -> Walk:
    return Walk(person, make_host, ORDERS, *EARLIER)


def test_lines_below_the_head_of_their_order_arrive_in_it(ordering):
    ordering.upload("orders.csv", HEADS_ONCE)
    question = ordering.answer("groups")
    assert question["default"] == ["Order number"]
    ordering.confirm()

    check(ordering, ORDERED, rows=5)


def test_numbered_columns_arrive_as_the_lines_of_their_order(ordering):
    ordering.upload("orders.csv", NUMBERED)
    question = ordering.answer("groups")
    assert len(question["default"]) == 6
    ordering.confirm()

    check(ordering, ORDERED, rows=5)


def test_a_list_in_each_record_arrives_as_the_lines_of_its_order(ordering):
    ordering.upload("orders.json", LISTS)
    ordering.confirm()

    check(ordering, ORDERED, rows=5)


def test_the_positions_of_a_printed_invoice_arrive_in_it(person, make_host):
    earlier = (
        {"invoice.number": "R-2026-17", "invoice.customer": "Bob", "position": []},
        {"invoice.number": "R-2026-16", "invoice.customer": "Bob", "position": []},
    )
    walk = Walk(person, make_host, INVOICES, *earlier)
    walk.upload("invoice.pdf", invoice())
    walk.confirm()

    check(walk, INVOICED, rows=3)


def test_contacts_of_one_sheet_arrive_in_the_customers_of_another(person, make_host):
    earlier = (
        {"customer.number": "C-1", "customer.company": "Engines", "contact": []},
        {"customer.number": "C-9", "customer.company": "Zuse", "contact": []},
    )
    walk = Walk(person, make_host, CUSTOMERS, *earlier)
    walk.upload("customers.xlsx", two_sheets())
    (related,) = walk.person.call("get", "/tables")["related"]
    join = {"child": related["first"], "parent": related["other"], "on": related["on"]}
    walk.person.call("put", "/reading", {"join": join}, expect=202)
    walk.person.record()
    walk.confirm()

    check(walk, COMPANIES, rows=4)

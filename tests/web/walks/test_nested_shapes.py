"""A person imports parents with children, which arrive nested at a shop, and reverts them."""

import copy
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.nested_shapes import (
    COMPANIES,
    CUSTOMERS,
    HEADS_ONCE,
    INVOICED,
    INVOICES,
    ORDERED,
    ORDERS,
    Json,
    Shop,
    invoice,
    two_sheets,
)
from tests.web.walks.engine import Engine, until
from tests.web.walks.hosts import RECEIVER, Host
from tests.web.walks.test_editor import publish
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web


class Walk:
    """One file in the widget, and the shop that gets its parents."""

    def __init__(self, widget: Widget, shop: Shop, host: Host, name: str) -> None:
        self.widget, self.shop, self.name = widget, shop, name
        self._host, self._taken = host, 0

    def picture(self, step: str) -> None:
        """Keep a picture of a step, if somewhere to keep it is set."""
        if folder := os.environ.get("KEPT_PICTURES"):
            self.widget.page.screenshot(path=f"{folder}/{self.name}-{step}.png", full_page=True)

    def check(self, expected: list[Json], *, shown: tuple[str, int]) -> None:
        """
        Import what is in review, check what the shop has, revert it, and check again.

        shown: a text of a parent, and the number of rows that show it in review.
        """
        before = copy.deepcopy(self.shop.parents)
        cells = self.widget.element.get_by_role("gridcell", name=shown[0], exact=True)
        self.widget.until(lambda: cells.count() == shown[1], f"{shown} is in review")
        self.picture("review")
        self.widget.import_all()
        self.widget.wait_for_applied()
        submitted = self._next_delivery()
        assert submitted["action"] == "submit"
        arrived = {parent[self.shop.key]: parent for parent in expected}
        assert self.shop.parents == {**before, **arrived}
        assert before.keys() & arrived.keys()  # one is replaced
        self.widget.element.get_by_text("The delivery is confirmed").wait_for()
        self.picture("done")

        self.widget.button("Revert").click()
        self.widget.button(f"Revert {submitted['rowCount']} rows").click()
        self.widget.heading("The import was reverted").wait_for()

        reverted = self._next_delivery()
        self.picture("reverted")
        assert (reverted["action"], reverted["rows"]) == ("revert", submitted["rows"])
        assert self.shop.parents == before

    def _next_delivery(self) -> Json:
        def mine() -> list[Any]:
            return [r for r in self._host.received if self.shop.url.endswith(r.path)]

        until(lambda: len(mine()) > self._taken, "the shop has the next delivery")
        self._taken += 1
        return self.shop.take(mine()[self._taken - 1])


@pytest.fixture
def start(
    open_widget: Callable[..., Widget], engine: Engine, host: Host
) -> Iterator[Callable[..., Walk]]:
    """Yield a function that opens a widget for a catalog, whose rows arrive at a shop."""
    hooks: list[str] = []

    def start_one(key: str, entries: list[Json], *parents: Json) -> Walk:
        publish(engine, key, title=key.title(), entries=entries)
        shop = Shop(f"{entries[0]['id']}.number", *parents)
        shop.url = f"{host.origin}{RECEIVER}{key}"
        hook = {
            "url": shop.url,
            "label": "Shop",
            "actions": ["submit", "revert"],
            "catalogKeys": [key],
            "nested": True,
        }
        made = engine.call("POST", "webhooks", json=hook)
        made.raise_for_status()
        hooks.append(made.json()["id"])
        shop.secret = made.json()["signingSecret"]
        return Walk(open_widget(key=engine.key, catalog_key=key), shop, host, key)

    yield start_one
    for hook in hooks:
        engine.call("DELETE", f"webhooks/{hook}").raise_for_status()


def file_of(name: str, content: bytes, kind: str = "application/octet-stream") -> dict[str, Any]:
    """Return a file to choose."""
    return {"name": name, "mimeType": kind, "buffer": content}


def test_orders_with_their_head_in_the_first_line_only(start: Callable[..., Walk]) -> None:
    walk = start(
        "nested-orders",
        ORDERS,
        {"order.number": "A-1", "order.buyer": "Ada", "line": []},
        {"order.number": "Z-9", "order.buyer": "Zoë", "line": []},
    )
    widget = walk.widget
    widget.choose(file_of("orders.csv", HEADS_ONCE.encode(), "text/csv"))
    widget.go_to("columns")
    widget.until(widget.is_loaded, "the columns are shown")
    walk.picture("columns")
    question = widget.element.get_by_text(re.compile("How does the file hold the rows of a group"))
    question.first.wait_for()

    widget.go_to("review")

    walk.check(ORDERED, shown=("A-2", 3))


def test_a_printed_invoice_with_its_head_above_the_positions(start: Callable[..., Walk]) -> None:
    walk = start(
        "nested-invoices",
        INVOICES,
        {"invoice.number": "R-2026-17", "invoice.customer": "Bob", "position": []},
    )
    widget = walk.widget
    widget.choose(file_of("invoice.pdf", invoice(), "application/pdf"))
    widget.go_to("review")  # nothing is asked on the way

    walk.check(INVOICED, shown=("R-2026-17", 3))


def test_contacts_of_one_sheet_joined_to_the_customers_of_another(
    start: Callable[..., Walk],
) -> None:
    walk = start(
        "nested-customers",
        CUSTOMERS,
        {"customer.number": "C-1", "customer.company": "Engines", "contact": []},
        {"customer.number": "C-9", "customer.company": "Zuse", "contact": []},
    )
    widget = walk.widget
    widget.choose(file_of("customers.xlsx", two_sheets()))
    widget.go_to("table")
    plan = widget.element.get_by_role("region", name="What each table becomes")
    plan.wait_for()
    walk.picture("tables")
    join = plan.locator("option").filter(has_text="Customer = Customer number").first
    name = join.text_content()
    choice = plan.get_by_role("combobox").filter(has=widget.page.locator("option", has_text=name))
    choice.first.select_option(label=(name or "").strip())
    widget.element.get_by_role("cell", name="Charles Babbage").first.wait_for()
    walk.picture("joined")

    widget.go_to("review")

    walk.check(COMPANIES, shown=("Analytical Engines", 2))

"""The last screen says which system has the rows, which has not, and what follows."""

import re
from collections.abc import Callable

import pytest

from tests.web.walks.engine import Engine
from tests.web.walks.hosts import Host
from tests.web.walks.test_accessibility import violations
from tests.web.walks.test_rows_done import FILE, Customers
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

ID = re.compile(r"\b(rec|dlv|chg|wh|qst|prf)_\w+")


def test_a_receiver_that_fails_is_named_with_the_next_try_and_without_a_green_tick(
    open_widget: Callable[..., Widget], engine: Engine, host: Host
) -> None:
    catalog = Customers(engine, host, "failing").publish()
    host.failing.add(catalog)
    widget = open_widget(key=engine.key, catalog_key=catalog)
    widget.choose(FILE)
    widget.go_to("review")
    widget.import_all()
    widget.wait_for_applied()

    widget.heading("Not delivered yet: Webshop").wait_for()
    widget.element.get_by_text(re.compile("The next attempt is at .* Nothing is lost.")).wait_for()
    entry = widget.element.get_by_role("listitem").filter(has_text="Webshop")
    assert entry.get_by_text("Next attempt").is_visible()
    assert widget.element.get_by_role("heading", name="rows imported").count() == 0
    assert widget.element.locator(".sign.warn").count() == 1
    assert violations(widget) == []

    host.failing.remove(catalog)
    widget.heading("60 rows imported").wait_for()
    widget.element.get_by_text("The delivery is confirmed").wait_for()
    assert widget.element.locator(".sign.warn").count() == 0


def test_ids_are_behind_the_details_for_support(
    open_widget: Callable[..., Widget], engine: Engine
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "ids"})
    widget.choose("orders-cp1252.csv")
    widget.go_to("review")
    assert not ID.search(widget.element.locator("[part~=container]").inner_text())
    widget.import_all()
    event = widget.wait_for_applied()
    widget.element.get_by_text("The delivery is confirmed").wait_for()

    shown = widget.element.locator("[part~=container]")
    assert not ID.search(shown.inner_text())
    widget.element.get_by_text("Details for support").click()

    assert event["recordId"] in shown.inner_text()
    assert all(delivery in shown.inner_text() for delivery in event["deliveryIds"])

"""A field that the host fixed for a customer: shown in the review, and changed by nothing there."""

import re
from collections.abc import Callable

import pytest

from tests.web.walks.test_answers import csv
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

TEXT = """Order number,Customer,Ordered on,Article,Quantity,Unit price,Status
A-1,Ada,2026-02-03,LX-100,LX-7,19.90,open
A-2,Ada,2026-02-03,LX-100,2,19.90,open
"""


@pytest.fixture
def widget(open_widget: Callable[..., Widget]) -> Widget:
    """Return a widget in the review; the article and the quantity are fixed, a column hidden."""
    fields = {
        "orders.article": {"readOnly": True},
        "orders.quantity": {"readOnly": True},
        "orders.remark": {"hidden": True},
    }
    widget = open_widget(session={"catalogKey": "orders", "fields": fields})
    widget.choose(csv(TEXT))
    widget.go_to("review")
    widget.element.get_by_role("gridcell", name="A-1", exact=True).wait_for()
    return widget


def test_replacing_in_all_columns_changes_the_others(widget: Widget) -> None:
    widget.button("Find and replace").click()
    assert "Article" not in widget.element.get_by_label("In column").inner_text()
    widget.element.get_by_label("Find", exact=True).fill("A")
    widget.element.get_by_label("Replace with").fill("B")
    widget.element.get_by_label("Match case").check()
    widget.button("Count").click()
    widget.element.get_by_role("button", name=re.compile(r"^Replace \d")).click()

    widget.element.get_by_role("gridcell", name="B-1", exact=True).wait_for()
    assert widget.element.get_by_role("gridcell", name="LX-100").count() == 2
    assert widget.heard("import-error") == []


def test_its_issues_offer_only_to_leave_rows_out(widget: Widget) -> None:
    widget.element.locator("[part~=issue] button").first.click()

    widget.element.get_by_role("button", name=re.compile("^Exclude 1 row")).wait_for()
    assert widget.element.get_by_label("Set all to").count() == 0
    assert widget.button("Clear these cells").count() == 0

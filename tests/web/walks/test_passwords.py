"""A protected file: the widget asks for its password until it is right, and goes on."""

from collections.abc import Callable

import pytest

from tests.tabular.reading.test_unlocking import PASSWORD, locked_workbook
from tests.web.walks.test_accessibility import violations
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

COLUMNS = ("Order number", "Customer", "Ordered on", "Article", "Quantity", "Unit price", "Status")
ROW = ("A-1", "Ann", "2026-02-03", "LX-100", 2, 19.9, "paid")


def test_a_password_is_asked_for_until_it_is_right(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "locked"})
    content = locked_workbook(COLUMNS, ROW)
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    widget.choose({"name": "orders.xlsx", "mimeType": kind, "buffer": content})
    field = widget.element.get_by_label("Password")
    field.wait_for()
    assert violations(widget) == []

    field.fill("not this")
    widget.button("Open").click()
    widget.element.get_by_text("The password is wrong. Enter it again.").wait_for()
    assert field.input_value() == ""

    field.fill(PASSWORD)
    field.press("Enter")
    widget.until(lambda: widget.step in {"columns", "review"}, "the file is read")
    assert PASSWORD not in widget.page.content()

"""Skipped rows are shown by reason, and restored: one, or all of a reason."""

import re
from collections.abc import Callable

import pytest

from tests.web.walks.test_accessibility import violations
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

NOTES = 260  # more than a page of the drawer
HEAD = "Order number,Ordered on,Customer,Article,Quantity,Unit price,Status\n"
ROWS = [f"A-{n},2026-02-03,Ada,LX-100,2,19.90,open\n" for n in range(2)]
TEXT = "Orders of March\n\n" + HEAD + ROWS[0]
TEXT += "".join(f"# note {n}\n" for n in range(NOTES)) + ROWS[1]
LEFT_OUT = re.compile("of the file (was|were) skipped")
FILE = {"name": "orders.csv", "mimeType": "text/csv", "buffer": TEXT.encode()}


def opened(open_widget: Callable[..., Widget], **about: str) -> Widget:
    """Open the drawer of a file with hundreds of notes."""
    widget = open_widget(session={"catalogKey": "orders"}, **about)
    widget.choose(FILE)
    widget.go_to("review")
    widget.element.get_by_role("button", name=LEFT_OUT).click()
    widget.element.get_by_role("dialog").wait_for()
    return widget


def test_hundreds_of_rows_of_one_reason_are_taken_back_at_once(
    open_widget: Callable[..., Widget],
) -> None:
    widget = opened(open_widget)

    widget.element.get_by_role("button", name=f"Comment {NOTES}").click()
    take = widget.button(f"Restore all {NOTES} rows")
    take.wait_for()
    assert widget.element.get_by_text("Above the table").count() == 1  # the segment alone
    take.click()

    widget.element.get_by_text(f"All {NOTES + 2}").first.wait_for()
    widget.element.get_by_role("button", name=LEFT_OUT).click()
    widget.element.get_by_text(f"{NOTES} rows restored").wait_for()
    assert widget.element.get_by_text("Comment").count() == 0


def test_one_row_is_taken_back_and_what_was_taken_back_stays(
    open_widget: Callable[..., Widget],
) -> None:
    widget = opened(open_widget)
    widget.button("Restore").nth(5).click()
    widget.element.get_by_text("All 3").first.wait_for()

    widget.element.get_by_role("button", name=LEFT_OUT).click()
    widget.element.get_by_text("1 row restored").wait_for()
    widget.button("Restore").nth(5).click()

    widget.element.get_by_text("All 4").first.wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_drawer(scheme: str, open_widget: Callable[..., Widget]) -> None:
    assert violations(opened(open_widget, theme=scheme)) == []

"""Rows are left out and taken back where they are, and what was done is said with its way back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route

from tests.web.walks.test_accessibility import violations
from tests.web.walks.test_answers import csv
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

HEAD = "Order number,Customer,Ordered on,Article,Quantity,Unit price,Status\n"
FILE = HEAD + "".join(f"A-{n},Ada,2026-02-03,LX-100,2,19.90,open\n" for n in range(6))
SAVED = "All changes are saved"
ROWS = re.compile(r"/imports/rec_\w+/rows$")


@pytest.fixture
def in_review(open_widget: Callable[..., Widget]) -> Widget:
    """Come to the review of six good rows."""
    widget = open_widget(session={"catalogKey": "orders", "scope": "rows"})
    widget.choose(csv(FILE))
    widget.go_to("review")
    widget.element.get_by_role("gridcell", name="A-5").wait_for()
    return widget


def test_delete_leaves_the_selected_rows_out_and_undo_is_next_to_what_was_done(
    in_review: Widget,
) -> None:
    widget = in_review
    widget.element.get_by_role("rowheader").nth(1).click()
    widget.page.keyboard.press("Shift+ArrowDown")
    widget.page.keyboard.press("Shift+Space")

    widget.page.keyboard.press("Delete")

    widget.button("Import all 4 rows").wait_for()
    footer = widget.element.locator("[part~=footer]")
    footer.get_by_text("Excluded 2").wait_for()
    assert widget.element.get_by_role("gridcell", name="A-1").count() == 1
    footer.get_by_role("button", name="Undo").click()
    widget.button("Import all 6 rows").wait_for()


def test_nothing_is_called_saved_while_a_change_is_on_its_way(in_review: Widget) -> None:
    widget = in_review
    held: list[Route] = []
    footer = widget.element.locator("[part~=footer]")
    footer.get_by_text(SAVED).wait_for()
    widget.page.route(ROWS, lambda route: held.append(route))

    widget.element.get_by_role("rowheader").nth(1).click()
    widget.page.keyboard.press("Delete")
    widget.until(lambda: held, "the change is on its way")
    footer.get_by_text(SAVED).wait_for(state="detached")
    held[0].continue_()

    widget.button("Import all 5 rows").wait_for()
    footer.get_by_text("Excluded 1").wait_for()


def test_a_rows_own_menu_leaves_it_out_and_takes_it_back(in_review: Widget) -> None:
    widget = in_review
    head = widget.element.get_by_role("rowheader").nth(2)

    head.click(button="right")
    widget.element.get_by_role("button", name="Exclude row").wait_for()
    assert violations(widget) == []
    widget.element.get_by_role("button", name="Exclude row").click()
    widget.button("Import all 5 rows").wait_for()
    widget.element.get_by_role("rowheader", name=re.compile("excluded$")).wait_for()
    head.click(button="right")
    widget.element.get_by_role("button", name="Restore row").click()

    widget.button("Import all 6 rows").wait_for()


def test_cells_that_are_emptied_are_counted_and_come_back_with_one_undo(
    in_review: Widget,
) -> None:
    widget = in_review
    widget.element.get_by_role("gridcell", name="A-0").click()
    widget.page.keyboard.press("Shift+ArrowDown")
    widget.page.keyboard.press("Shift+ArrowDown")

    widget.page.keyboard.press("Delete")

    footer = widget.element.locator("[part~=footer]")
    footer.get_by_text("3 cells emptied").wait_for()
    footer.get_by_role("button", name="Undo").click()
    widget.element.get_by_role("gridcell", name="A-0").wait_for()
    assert footer.get_by_text(re.compile("cells emptied")).count() == 0


def test_values_that_do_not_fit_are_refused_where_one_sees_it(in_review: Widget) -> None:
    widget = in_review
    widget.element.get_by_role("gridcell", name="A-5").click()

    widget.evaluate("""() => {
      const shadow = document.querySelector('service-import').shadowRoot
      const grid = shadow.querySelector('si-review-grid').shadowRoot
      const data = new DataTransfer()
      data.setData('text/plain', 'B-1\\nB-2\\nB-3')
      const about = {clipboardData: data, bubbles: true, cancelable: true, composed: true}
      grid.activeElement.dispatchEvent(new ClipboardEvent('paste', about))
    }""")

    footer = widget.element.locator("[part~=footer]")
    footer.get_by_text("2 values did not fit and were not pasted").wait_for()

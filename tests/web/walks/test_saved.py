"""The footer of the review says that changes are saved only when the engine has them."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Route

from tests.web.walks.test_answers import csv
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

HEAD = "Order number,Customer,Ordered on,Article,Quantity,Unit price,Status\n"
LINE = "A-{n},Ada,2026-02-03,LX-100,{quantity},19.90,open\n"
SAVED, NOT_SAVED = "All changes are saved", "The last change is not saved."
PAGES = re.compile(r"/imports/rec_\w+/rows/query$")
WRITES = re.compile(r"/imports/rec_\w+/(rows|rows/fix|rows/replace|undo)$")


def in_review(open_widget: Callable[..., Widget], rows: int = 6, quantity: str = "2") -> Widget:
    """Come to a review in which only the first quantity may be wrong."""
    widget = open_widget(session={"catalogKey": "orders", "scope": "saved"})
    quantities = (quantity, *["2"] * (rows - 1))
    lines = (LINE.format(n=n, quantity=given) for n, given in enumerate(quantities))
    widget.choose(csv(HEAD + "".join(lines)))
    widget.go_to("review")
    widget.element.get_by_role("gridcell", name="A-1", exact=True).wait_for()
    return widget


def cell(widget: Widget) -> Locator:
    """Return the cell that is changed."""
    return widget.element.get_by_role("gridcell", name="LX-100").first


def edit(widget: Widget) -> None:
    cell(widget).click()
    widget.page.keyboard.type("LX-200")
    widget.page.keyboard.press("Enter")


def exclude(widget: Widget) -> None:
    widget.element.get_by_role("rowheader").nth(1).click()
    widget.page.keyboard.press("Delete")


def set_all(widget: Widget) -> None:
    widget.element.locator("[part~=issue] button").first.click()
    widget.element.get_by_label("Set all to").fill("3")
    widget.button("Set").click()


def replace(widget: Widget) -> None:
    widget.button("Find and replace").click()
    widget.element.get_by_label("Find", exact=True).fill("LX")
    widget.element.get_by_label("Replace with").fill("MX")
    widget.button("Count").click()
    widget.element.get_by_role("button", name=re.compile(r"^Replace \d")).click()


def undo(widget: Widget) -> None:
    cell(widget).click()
    widget.page.keyboard.press("Control+z")


CHANGES = [edit, exclude, set_all, replace, undo]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_that_was_not_sent_is_not_called_saved_until_it_is(
    open_widget: Callable[..., Widget], change: Callable[[Widget], None]
) -> None:
    widget = in_review(open_widget, quantity="many" if change is set_all else "2")
    footer = widget.element.locator("[part~=footer]")
    footer.get_by_text(SAVED).wait_for()
    if change is undo:
        edit(widget)
        widget.element.get_by_role("gridcell", name="LX-200").wait_for()
        footer.get_by_text(SAVED).wait_for()
    broken: list[str] = []

    def fail(route: Route) -> None:
        if (route.request.post_data_json or {}).get("preview"):
            return route.fallback()
        broken.append(route.request.url)
        return route.abort()

    widget.page.route(WRITES, fail)
    change(widget)
    widget.until(lambda: broken, "the change is sent")
    footer.get_by_text(NOT_SAVED).wait_for()
    widget.button("Try again").wait_for()
    assert footer.get_by_text(SAVED).count() == 0

    widget.page.unroute(WRITES)
    widget.button("Try again").click()
    footer.get_by_text(NOT_SAVED).wait_for(state="detached")
    footer.get_by_text(re.compile(f"{SAVED}|changed|emptied|Excluded")).wait_for()


def test_a_change_that_failed_stays_unsaved_whatever_is_looked_at_next(
    open_widget: Callable[..., Widget],
) -> None:
    widget = in_review(open_widget)
    footer = widget.element.locator("[part~=footer]")
    widget.page.route(WRITES, lambda route: route.abort())
    edit(widget)
    footer.get_by_text(NOT_SAVED).wait_for()
    widget.page.unroute(WRITES)

    widget.element.get_by_role("searchbox").first.fill("A-1")

    widget.element.get_by_role("gridcell", name="A-2").wait_for(state="detached")
    footer.get_by_text(NOT_SAVED).wait_for()
    assert footer.get_by_text(SAVED).count() == 0


@pytest.mark.parametrize("arrives", [True, False], ids=["rows come", "rows do not come"])
def test_a_change_to_rows_that_are_fetched_first_is_not_called_saved(
    open_widget: Callable[..., Widget], *, arrives: bool
) -> None:
    widget = in_review(open_widget, rows=1_200)
    footer = widget.element.locator("[part~=footer]")
    footer.get_by_text(SAVED).wait_for()
    widget.element.get_by_role("columnheader", name="Article").click()
    held: list[Route] = []
    widget.page.route(PAGES, lambda route: held.append(route))  # playwright marks it

    widget.page.keyboard.press("Delete")
    widget.until(lambda: held, "rows that were not shown are asked for")
    assert footer.get_by_text(SAVED).count() == 0
    assert widget.button("Import all 1,200 rows").is_disabled()

    widget.page.route(PAGES, lambda route: route.continue_() if arrives else route.abort())
    for route in held:
        route.continue_() if arrives else route.abort()
    footer.get_by_text("1,200 cells emptied" if arrives else NOT_SAVED).wait_for()
    assert footer.get_by_text(SAVED).count() == 0

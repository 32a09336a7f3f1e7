"""Find and replace in so many cells that a worker does it: shown, cancelled, undone, repeated."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Error, Route

from tests.web.walks.test_accessibility import violations
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

ROWS = 10_100  # more cells than one call changes
HEAD = "Order number,Ordered on,Customer,Article,Quantity,Unit price,Status\n"
TEXT = HEAD + "".join(f"A-{n},2026-02-03,Ada,LX-100,2,19.90,open\n" for n in range(ROWS))
FILE = {"name": "orders.csv", "mimeType": "text/csv", "buffer": TEXT.encode()}
CHANGE = re.compile(r"/imports/rec_\w+/rows/changes/blk_\w+(\?.*)?$")
IMPORT = re.compile(r"/imports/rec_\w+(\?.*)?$")


class Held:
    """Holds back the responses about a change, so that it appears half done."""

    def __init__(self, widget: Widget) -> None:
        self.is_held = True
        self.change: dict[str, Any] = {}
        widget.page.route(CHANGE, self._change)
        widget.page.route(IMPORT, self._import)

    def _half(self, change: dict[str, Any]) -> dict[str, Any]:
        half = {"state": "running", "stage": "changing", "done": ROWS // 2, "revision": None}
        self.change = {**change, **half}
        return self.change

    def _change(self, route: Route) -> None:
        with suppress(Error):  # the page may close while a response is on its way
            answer = route.fetch()
            held = {"json": self._half(answer.json())} if self.is_held else {}
            route.fulfill(response=answer, **held)

    def _import(self, route: Route) -> None:
        with suppress(Error):  # as above
            self._answer(route)

    def _answer(self, route: Route) -> None:
        answer = route.fetch()
        if self.is_held and self.change and route.request.method == "GET":
            content = {**answer.json(), "rowsChange": self.change}
            return route.fulfill(response=answer, json=content)
        return route.fulfill(response=answer)


def in_review(open_widget: Callable[..., Widget]) -> Widget:
    widget = open_widget(session={"catalogKey": "orders"})
    widget.choose(FILE)
    widget.go_to("review")
    return widget


def replace(widget: Widget) -> None:
    """Count, and replace the counted cells."""
    widget.button("Find and replace").click()
    widget.element.get_by_label("Find", exact=True).fill("LX")
    widget.element.get_by_label("Replace with").fill("MX")
    widget.button("Count").click()
    widget.button(f"Replace {ROWS:,}").click()


def test_a_large_replacement_shows_how_far_it_is_and_is_undone(
    open_widget: Callable[..., Widget],
) -> None:
    widget = in_review(open_widget)
    held = Held(widget)

    replace(widget)
    widget.element.get_by_text(f"Changing: {ROWS // 2:,} of {ROWS:,} rows").wait_for()
    assert widget.button("Undo").first.is_disabled()
    assert violations(widget) == []
    held.is_held = False

    widget.element.get_by_text(f"{ROWS:,} cells changed").wait_for()
    widget.element.get_by_role("gridcell", name="MX-100").first.wait_for()
    widget.element.locator(".changing").get_by_role("button", name="Undo").click()
    widget.element.get_by_role("gridcell", name="LX-100").first.wait_for()
    assert widget.element.get_by_text("cells changed").count() == 0


def test_a_change_that_runs_is_found_again_after_the_page_was_loaded_again(
    open_widget: Callable[..., Widget],
) -> None:
    widget = in_review(open_widget)
    held = Held(widget)
    replace(widget)
    progress = widget.element.get_by_text(f"Changing: {ROWS // 2:,} of {ROWS:,} rows")
    progress.wait_for()

    widget.page.reload()
    widget.button("Continue").click()
    progress.wait_for()
    held.is_held = False

    widget.element.get_by_text(f"{ROWS:,} cells changed").wait_for()
    widget.element.get_by_role("gridcell", name="MX-100").first.wait_for()

"""What comes and goes with a click takes its place from the rows: nothing else moves."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator

from tests.web.walks.screens import BAD, DAYS
from tests.web.walks.test_answers import csv
from tests.web.walks.test_replacing import FILE, ROWS
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

# One question about dates, one about a text, errors, and a row that is not imported.
LINES = DAYS.replace("Lamp,2,3.50,open", "Lamp,2,3.50,waiting", 1)
LINES += "".join(BAD.format(n=n) for n in range(4)) + "Sum,,,,8,,\n"
OBSERVE = """() => {
  window.shifts = []
  const keep = list => shifts.push(...list.getEntries())
  window.observed = new PerformanceObserver(keep)
  observed.observe({type: 'layout-shift'})
}"""
# The shifts since the last look, those within half a second of a click too.
LOOK = """() => {
  shifts.push(...observed.takeRecords())
  const box = ({x, y, right, bottom}) => [x, y, right, bottom].map(Math.round)
  const named = node => node?.closest?.('[class]')?.className || node?.nodeName || '?'
  const moved = sources => sources.filter(({previousRect: {width}}) => width)
  return shifts.splice(0).flatMap(({sources}) => moved(sources).map(
    ({node, previousRect, currentRect}) => [named(node), box(previousRect), box(currentRect)]))
}"""

CORNER = """grid => {
  const {left, top} = grid.getBoundingClientRect()
  return [left + scrollX, top + scrollY].map(Math.round)
}"""


class Clicks:
    """A person with a mouse, and what moved outside of the rows and of what a click changes."""

    def __init__(self, widget: Widget) -> None:
        self.widget, self.moved = widget, dict[str, Any]()
        widget.evaluate(OBSERVE)

    def on(self, control: Locator, *, name: str, changes: Locator | None = None) -> None:
        """Click a control; the rows and what it changes may move, and nothing else."""
        self.widget.until(control.is_enabled, f"{name} can be pressed")
        control.scroll_into_view_if_needed()
        self._settle()
        self.widget.evaluate(LOOK)
        corner = self._corner()
        regions = [self._grid(), changes.bounding_box() if changes else None]
        control.click()
        self._settle()
        shifted = self.widget.evaluate(LOOK)
        outside = [shift for shift in shifted if not any(is_inside(shift, box) for box in regions)]
        if self._corner() != corner:
            outside.append(["the grid", corner, self._corner()])
        if outside:
            self.moved[name] = outside

    def _grid(self) -> Any:
        return self.widget.element.locator("si-review-grid").bounding_box()

    def _corner(self) -> Any:
        """Return where the grid begins on its page; its end gives way to what comes below it."""
        return self.widget.element.locator("si-review-grid").evaluate(CORNER)

    def _settle(self) -> None:
        busy = self.widget.element.locator("[part~=body].busy")
        self.widget.page.wait_for_timeout(250)
        self.widget.until(lambda: busy.count() == 0, "nothing goes on")
        self.widget.page.wait_for_timeout(100)


def is_inside(shift: Any, region: Any) -> bool:
    """Return whether what moved was in a region before."""
    if region is None:
        return False
    _, (left, top, right, bottom), _ = shift
    x, y = region["x"] - 1, region["y"] - 1
    ends_x, ends_y = x + region["width"] + 2, y + region["height"] + 2
    return bool(left >= x and top >= y and right <= ends_x and bottom <= ends_y)


@pytest.mark.parametrize("width", [390, pytest.param(820, marks=pytest.mark.large), 1280])
def test_a_click_in_the_review_moves_nothing_else(
    width: int, open_widget: Callable[..., Widget]
) -> None:
    about = {"viewport": {"width": width, "height": 860}}
    session = {"catalogKey": "orders", "scope": f"still-{width}"}
    widget = open_widget(session=session, browser_about=about)
    widget.choose(csv(LINES))
    widget.go_to("review")
    shown, clicks = widget.element, Clicks(widget)
    shown.get_by_role("gridcell", name="A-1").first.wait_for()
    rail = shown.get_by_role("complementary")
    opener = shown.locator(".rail-opener button")
    if opener.is_visible():
        clicks.on(opener, name="the rail")

    first = shown.get_by_role("region", name=re.compile("^Question 1"))
    for answer in ("Day first", "Month first", "Month first"):  # the last one ends the preview
        pressed = first.get_by_role("button", name=re.compile(f"^{answer}"))
        clicks.on(pressed, name=answer, changes=first)
    issue = shown.locator("[part~=issue] button[aria-pressed]").first
    for name in ("an issue", "the issue again", "the issue once more"):
        clicks.on(issue, name=name, changes=rail)
    value = shown.get_by_label("Set all to")
    value.fill("3")
    clicks.on(shown.get_by_role("button", name="Set", exact=True), name="Set", changes=rail)
    if opener.is_visible():
        clicks.on(opener, name="the rail again")
    for name in ("Undo", "Redo", "Undo"):
        control = shown.locator(".toolbar").get_by_role("button", name=name)
        clicks.on(control, name=name, changes=rail if rail.is_visible() else None)
    for name in ("Errors", "Warnings", "Excluded", "Edited", "All"):
        segment = shown.locator(".segments").get_by_role("button", name=re.compile(f"^{name}"))
        clicks.on(segment, name=name, changes=shown.locator(".told"))
    for name in ("Find and replace", "Close", "Find and replace"):
        clicks.on(widget.button(name), name=name)
    shown.get_by_label("Find", exact=True).fill("Lamp")
    for name in ("Count", "Close"):
        clicks.on(widget.button(name), name=name)

    assert clicks.moved == {}


def test_the_bar_of_a_large_change_moves_nothing(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "still"})
    widget.choose(FILE)
    widget.go_to("review")
    shown, clicks = widget.element, Clicks(widget)
    shown.get_by_role("gridcell", name="A-1").first.wait_for()

    clicks.on(widget.button("Find and replace"), name="Find and replace")
    shown.get_by_label("Find", exact=True).fill("LX")
    shown.get_by_label("Replace with").fill("MX")
    clicks.on(widget.button("Count"), name="Count")
    clicks.on(widget.button(f"Replace {ROWS:,}"), name="Replace")
    shown.get_by_text(f"{ROWS:,} cells changed").wait_for()
    bar = shown.locator(".changing")
    clicks.on(bar.get_by_role("button", name="Undo"), name="Undo")

    assert clicks.moved == {}

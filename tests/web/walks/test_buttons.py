"""Every button of every screen is readable and can be pressed, at any width and in any language."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.walks.buttons import WIDTHS, wrong_at_any_width
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

HEAD = "Order number,Customer,Ordered on,Article,Quantity,Unit price,Status\n"
BAD = "A-{n},Ada {n},2026-02-03,LX-100,many,19.90,open\n"
GOOD = "B-{n},Bob {n},2026-02-03,LX-100,2,19.90,open\n"
FILE = "Orders of March\n\n" + HEAD
FILE += "".join(BAD.format(n=n) for n in range(5)) + "".join(GOOD.format(n=n) for n in range(15))
ASKED = FILE.replace("19.90,open", "19.90,waiting", 1)
CSS = "body { margin: 0 } h1 { display: none }"
PICTURES = os.environ.get("PICTURES")  # a folder to look at the screens by hand


class Walk:
    """One import in one language, measured on each of its screens."""

    def __init__(self, widget: Widget, locale: str) -> None:
        self.widget, self.locale = widget, locale
        self.wrong: dict[str, Any] = {}

    def measure(self, screen: str) -> None:
        """Measure the open screen."""
        self.widget.until(self.widget.is_loaded, "the step shows what it has")
        if PICTURES:
            for width in (320, 390, 700, 820, 1000, 1280):
                self.widget.page.set_viewport_size({"width": width, "height": 860})
                path = Path(PICTURES) / f"{screen}-{self.locale}-{width}.png"
                self.widget.page.screenshot(path=path)
        if found := wrong_at_any_width(self.widget.page):
            self.wrong[screen] = found
        self.widget.page.set_viewport_size({"width": WIDTHS[-1], "height": 860})


def until_buttons(widget: Widget, selector: str, count: int) -> None:
    """Wait until there are this many buttons."""
    buttons = widget.element.locator(selector)
    widget.until(lambda: buttons.count() == count, f"{count} buttons can be pressed")


@pytest.mark.parametrize("locale", ["en", "de", "fr", "es"])
def test_every_button_is_inside_and_readable_from_320_to_1440_pixels(
    locale: str, open_widget: Callable[..., Widget]
) -> None:
    session = {"catalogKey": "orders", "scope": f"buttons-{locale}"}
    widget = open_widget(session=session, css=CSS, locale=locale, show_all_steps="")
    walk, shown = Walk(widget, locale), widget.element
    widget.until(widget.is_ready, "the widget is ready")
    walk.measure("upload")
    shown.locator("[part~=dropzone] button").last.click()
    shown.get_by_role("gridcell").first.wait_for()
    walk.measure("typing")
    shown.locator("[part~=footer] button").first.click()

    widget.choose({"name": "orders.csv", "mimeType": "text/csv", "buffer": ASKED.encode()})
    for step in ("table", "columns"):
        widget.go_to(step)
        walk.measure(step)
    widget.primary.first.click()
    shown.get_by_text("waiting", exact=True).wait_for()
    walk.measure("values")
    widget.go_to("review")
    shown.get_by_role("gridcell", name="A-1").wait_for()
    walk.measure("review")
    shown.locator("[part~=issue] button").first.click()
    shown.locator("[part~=issue] form").wait_for()
    walk.measure("review, an issue open")
    shown.locator("aside section[aria-label] button").last.click()  # as it is: nothing is asked
    until_buttons(widget, "[part~=footer] button:enabled", 3)
    walk.measure("review, errors left")
    shown.locator("[part~=footer] button[aria-expanded]").click()
    shown.locator("[part~=footer] button").nth(3).wait_for()
    walk.measure("review, the other ways to import")
    shown.locator("[part~=footer] button").nth(3).click()
    shown.get_by_role("dialog").wait_for()
    walk.measure("review, errors included")
    shown.get_by_role("dialog").locator("button").first.click()
    shown.get_by_role("dialog").wait_for(state="detached")
    widget.primary.last.click()
    widget.wait_for_applied()
    widget.until(lambda: not shown.locator(".busy").count(), "nothing is on its way")
    walk.measure("import")

    assert walk.wrong == {}

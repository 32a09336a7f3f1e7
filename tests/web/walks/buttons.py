"""Measure the buttons of the element as a person meets them, at any width."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

WIDTHS = (320, 360, 390, 480, 600, 640, 700, 768, 820, 900, 960, 1000, 1080, 1160, 1280, 1440)
HEIGHT = 860
MEASURE = (Path(__file__).parent / "buttons.js").read_text("utf-8")


def wrong_at_any_width(page: Page, widths: tuple[int, ...] = WIDTHS) -> dict[int, Any]:
    """Resize the page in place; return, by width, which buttons have which fault."""
    found: dict[int, Any] = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        buttons, wrong = page.evaluate(MEASURE)
        assert buttons > 0, "nothing was measured"
        if wrong:
            found[width] = wrong
    return found

"""Measure the buttons of the element as a person meets them, at any width."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

WIDTHS = (320, 360, 390, 480, 600, 640, 700, 768, 820, 900, 960, 1000, 1080, 1160, 1280, 1440)
HEIGHT = 860
ZOOMED = ((320, 430), (480, 430), (640, 430), (720, 430))  # a window at 200 %, in pixels of CSS
SIZES = (*((width, HEIGHT) for width in WIDTHS), *ZOOMED)
SAMPLE = ((320, HEIGHT), (390, HEIGHT), (700, HEIGHT), (1000, HEIGHT), (1440, HEIGHT), (320, 430))
WIDEST: Any = {"width": WIDTHS[-1], "height": HEIGHT}
MEASURE = (Path(__file__).parent / "buttons.js").read_text("utf-8")


def wrong_at_any_size(
    page: Page, sizes: Sequence[tuple[int, int]] = SIZES
) -> dict[tuple[int, int], Any]:
    """Resize the page in place; return, by size, which buttons have which fault."""
    by_size: dict[tuple[int, int], Any] = {}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        buttons, wrong = page.evaluate(MEASURE)
        assert buttons > 0, "nothing was measured"
        if wrong:
            by_size[width, height] = wrong
    return by_size

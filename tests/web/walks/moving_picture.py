"""One picture that moves, for the README: a messy file becomes rows. Part of ``make pictures``."""

import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops
from playwright.sync_api import sync_playwright

from tests.web.browsing import launched
from tests.web.walks.engine import Engine
from tests.web.walks.hosts import Host
from tests.web.walks.pictures import CATALOG, FILE, PAGE, opened
from tests.web.walks.widget import Widget

VIEW: Any = {"width": 1000, "height": 620}
MOST_BYTES = 1_500_000
QUALITY = 60
LOOK_MS, GLANCE_MS = 2_200, 700


class Film:
    """Pictures, and how long each is shown."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._frames: list[tuple[Image.Image, int]] = []

    def take(self, shown_ms: int = LOOK_MS) -> None:
        """Add what the page shows; the same picture twice is one that is shown longer."""
        picture = Image.open(io.BytesIO(self._widget.page.screenshot())).convert("RGB")
        if self._frames:
            last, ms = self._frames[-1]
            if ImageChops.difference(last, picture).getbbox() is None:
                self._frames[-1] = (last, ms + shown_ms)
                return
        self._frames.append((picture, shown_ms))

    def keep(self, path: Path) -> None:
        """Write the film, smaller than the README wants it."""
        first, *others = [picture for picture, _ in self._frames]
        durations = [ms for _, ms in self._frames]
        first.save(
            path, "WEBP", save_all=True, append_images=others, duration=durations, loop=0,
            quality=QUALITY, method=6, minimize_size=True,
        )  # fmt: skip
        size = path.stat().st_size
        assert size < MOST_BYTES, f"{path} has {size:,} bytes"


def main(path: Path) -> None:
    """Walk one import, and keep it as a film."""
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        engine = Engine(Path(data))
        engine.start()
        try:
            with Host(engine.origin, engine.key) as host:
                browser = launched(playwright)
                session = {"catalogKey": CATALOG, "scope": "film"}
                url = host.widget_page(css=PAGE, session=session, show_all_steps="")
                walk(opened(browser, url, VIEW)).keep(path)
                browser.close()
        finally:
            engine.stop()


def walk(widget: Widget) -> Film:
    """Take a file from the first screen to the last."""
    film = Film(widget)
    widget.until(widget.is_ready, "the widget is ready")
    film.take(GLANCE_MS)
    widget.choose(FILE)
    for step in ("table", "columns", "review"):
        if widget.go_to(step, "review") != step:
            continue
        widget.until(widget.can_go_on, "the step can be left")
        widget.page.wait_for_load_state("networkidle")
        film.take()
    mend(widget, film)
    widget.import_all()
    widget.wait_for_applied()
    widget.until(lambda: not widget.element.locator(".busy").count(), "nothing is on its way")
    film.take()
    return film


def mend(widget: Widget, film: Film) -> None:
    """Correct a cell with an error."""
    cell = widget.element.get_by_role("gridcell", name="büro", exact=True)
    cell.dblclick()
    widget.page.keyboard.press("Control+A")
    film.take(GLANCE_MS)
    widget.page.keyboard.type("info@cafe-zuerich.example")
    film.take(GLANCE_MS)
    widget.page.keyboard.press("Enter")
    widget.page.wait_for_load_state("networkidle")
    film.take()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

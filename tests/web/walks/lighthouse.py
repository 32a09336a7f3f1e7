"""
The score that Lighthouse gives every screen for accessibility; ``make lighthouse`` prints them.

Walks the widget, the editor and the admin in Chromium, light and dark, or what its arguments name
of these. Ends with 1 if a score is below 100, and then names what was found.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from scripts import build_elements
from tests.web.browsing import ROOT, launched
from tests.web.walks.admin import add_rows, every_page
from tests.web.walks.editor import Editor, editor_page
from tests.web.walks.engine import Engine, free_port
from tests.web.walks.hosts import Host
from tests.web.walks.screens import CSS, SCHEMES, THEME, asides, editing, steps
from tests.web.walks.widget import Widget

FOLDER = ROOT / "tests" / "web" / "lighthouse"
BEST = 100
DESKTOP: Any = {"width": 1280, "height": 860}


class Lighthouse:
    """Lighthouse next to a running browser: it scores pages as they are shown now."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.below: list[str] = []  # the screens with a score below 100

    def score(self, page: Page, name: str) -> None:
        """Print the score of a page, and what was found."""
        to, back = self._process.stdin, self._process.stdout
        assert to is not None
        assert back is not None
        to.write(f"{page.url}\n")
        to.flush()
        report = json.loads(back.readline())
        print(f"{report['score']:4}  {name}", flush=True)
        if report["score"] < BEST:
            self.below.append(name)
            for audit, *nodes in report["failed"]:
                print(f"      {audit}", *nodes[:3], sep="\n        ")


@contextmanager
def lighthouse(port: int) -> Iterator[Lighthouse]:
    """Install Lighthouse where it is missing, and connect it to a browser."""
    node = build_elements.of_the_machine() or build_elements.of_the_wheel()
    node.install(FOLDER)
    command = [node.program, "snapshot.mjs", f"http://127.0.0.1:{port}"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=FOLDER, text=True, **pipes) as process:  # type: ignore[call-overload]  # handed on
        yield Lighthouse(process)
        process.stdin.close()


def of_widget(browser: Browser, host: Host, scorer: Lighthouse) -> None:
    """Score every screen of the widget."""
    for walk, more in ((steps, {"show_all_steps": ""}), (asides, {})):
        session = {"catalogKey": "orders", "scope": walk.__name__}
        page = browser.new_page(viewport=DESKTOP)
        page.goto(host.widget_page(session=session, css=CSS, **more))
        widget = Widget(page)
        for name in walk(widget):
            widget.until(widget.is_loaded, "the step shows what it has")
            for scheme in SCHEMES:
                page.evaluate(THEME, ["service-import", scheme])
                scorer.score(page, f"widget, {name}, {scheme}")
        page.close()


def of_editor(browser: Browser, host: Host, engine: Engine, scorer: Lighthouse) -> None:
    """Score every screen of the editor."""
    page = browser.new_page(viewport=DESKTOP)
    page.goto(editor_page(host, key=engine.editor_key()))
    for name in editing(Editor(page)):
        for scheme in SCHEMES:
            page.evaluate(THEME, ["service-catalog-editor", scheme])
            scorer.score(page, f"editor, {name}, {scheme}")
    page.close()


def of_admin(browser: Browser, engine: Engine, scorer: Lighthouse) -> None:
    """Score every page of the admin."""
    add_rows(engine)
    page = browser.new_page(viewport=DESKTOP)
    for name in every_page(page, engine):
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            scorer.score(page, f"admin, {name}, {scheme}")
    page.close()


def main(parts: list[str]) -> int:
    """Score the parts, or everything; return 1 if a score is below 100."""
    port = free_port()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        engine = Engine(Path(data))
        engine.start()
        try:
            browser = launched(playwright, f"--remote-debugging-port={port}")
            with Host(engine.origin, engine.key) as host, lighthouse(port) as scorer:
                walks = {
                    "widget": lambda: of_widget(browser, host, scorer),
                    "editor": lambda: of_editor(browser, host, engine, scorer),
                    "admin": lambda: of_admin(browser, engine, scorer),
                }
                for part in parts or walks:
                    walks[part]()
            browser.close()
        finally:
            engine.stop()
    print(f"{len(scorer.below)} screens below {BEST}")
    return int(bool(scorer.below))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

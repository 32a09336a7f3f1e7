"""Pictures of every screen for the docs: ``make pictures``.

Walks one import with each look, in a real engine and browser, and keeps what is seen as WebP; then
one catalog in the editor.
"""

import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.web.browsing import launched
from tests.web.walks.conftest import Engine
from tests.web.walks.editor import Editor, editor_page
from tests.web.walks.hosts import Host
from tests.web.walks.test_typing import PASTE, PASTED, open_sheet
from tests.web.walks.widget import EXAMPLES, Widget

EDITOR = {"width": 1240, "height": 800}
WIDE, NARROW = {"width": 1180, "height": 760}, {"width": 390, "height": 780}
LOOKS: dict[str, dict[str, Any]] = {
    "wide": {"viewport": WIDE},
    "dark": {"viewport": WIDE, "theme": "dark"},
    "rtl": {"viewport": WIDE, "locale": "ar"},
    "mobile": {"viewport": NARROW},
}
FILE, CATALOG = "orders-cp1252.csv", "orders"
PAGE = "body { margin: 0; background: #eef0f4 } main { padding: 16px } h1 { display: none }"
QUALITY = 72


def main(folder: Path) -> None:
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        engine = Engine(Path(data))
        engine.start()
        try:
            with Host(engine.origin, engine.key) as host:
                browser = launched(playwright)
                for look, about in LOOKS.items():
                    walk(browser, host, folder, look, **about)
                demo(browser, engine, folder)
                catalogs(browser, engine, host, folder)
                browser.close()
        finally:
            engine.stop()


def walk(
    browser: Browser, host: Host, folder: Path, look: str, *, viewport: Any, **attributes: str
) -> None:
    """Take the pictures of one look."""
    session = {"catalogKey": CATALOG, "scope": look}
    url = host.widget_page(css=PAGE, session=session, show_all_steps="", **attributes)
    context = browser.new_context(viewport=viewport, reduced_motion="reduce")
    page = context.new_page()
    page.goto(url)
    widget = Widget(page)
    widget.until(widget.is_ready, "the widget is ready")
    take(widget, folder / f"upload-{look}.webp")
    open_sheet(widget)
    page.evaluate(PASTE, PASTED)
    widget.element.get_by_role("gridcell", name="Bob").wait_for()
    take(widget, folder / f"typing-{look}.webp")
    widget.button("Back").click()
    widget.choose(FILE)
    for step in ("table", "columns", "review"):
        if widget.go_to(step, "review") != step:
            continue
        widget.until(widget.can_go_on, "the step can be left")
        page.wait_for_load_state("networkidle")
        take(widget, folder / f"{step}-{look}.webp")
    widget.import_all()
    widget.wait_for_applied()
    page.wait_for_load_state("networkidle")
    take(widget, folder / f"done-{look}.webp")
    context.close()


def demo(browser: Browser, engine: Engine, folder: Path) -> None:
    """Take the picture of the demo host."""
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    page.goto(f"{engine.origin}/demo/")
    Widget(page).button("Choose file").wait_for()
    page.wait_for_load_state("networkidle")
    keep(page.screenshot(full_page=True), folder / "demo.webp")


def catalogs(browser: Browser, engine: Engine, host: Host, folder: Path) -> None:
    """Take the pictures of the editor: from the list over a sample file to the review."""
    key = engine.editor_key()
    for look, about in (("wide", {}), ("dark", {"theme": "dark"}), ("mobile", {})):
        viewport: Any = NARROW if look == "mobile" else EDITOR
        page = browser.new_page(viewport=viewport, reduced_motion="reduce")
        page.goto(editor_page(host, key=key, catalog_key="orders", **about))
        editor = Editor(page)
        if look == "mobile":
            editor.button("Fields").click()
        editor.field("Status").click()
        editor.shows("Delivered value")
        page.wait_for_load_state("networkidle")
        take(editor, folder / f"editor-fields-{look}.webp")
        page.close()
    page = browser.new_page(viewport=EDITOR, reduced_motion="reduce")
    page.goto(editor_page(host, key=key))
    editor = Editor(page)
    editor.button("New").click()
    take(editor, folder / "editor-list.webp")
    editor.element.locator(".menu button").nth(1).click()
    editor.element.locator("input[type=file]").set_input_files(EXAMPLES / FILE)
    editor.element.get_by_role("row", name="Auftrags-Nr.").wait_for()
    take(editor, folder / "editor-sample.webp")
    editor.button("Cancel").click()
    editor.button("Orders").click()
    editor.field("Unit price").click()
    editor.button("Rule").click()
    editor.text("Kind of rule").select_option("compare")
    editor.field("Remark").click()
    editor.button("Remove this field").click()
    editor.saved()
    editor.tab("Test with a file").click()
    editor.element.locator("input[type=file]").set_input_files(EXAMPLES / FILE)
    editor.element.locator("table.tested").first.wait_for()
    take(editor, folder / "editor-test.webp")
    editor.review()
    editor.shows("since version 1")
    page.wait_for_load_state("networkidle")
    take(editor, folder / "editor-review.webp")
    page.close()


def take(shown: Widget | Editor, path: Path) -> None:
    """Keep what the page shows."""
    keep(shown.page.screenshot(), path)


def keep(png: bytes, path: Path) -> None:
    """Write a picture small."""
    Image.open(io.BytesIO(png)).convert("RGB").save(path, "WEBP", quality=QUALITY, method=6)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

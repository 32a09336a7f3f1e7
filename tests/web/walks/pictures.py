"""
Pictures of every screen: ``make pictures`` takes those that a page of the docs shows.

Walks one import with each look, in a real engine and browser, and saves the screens as WebP; then
one catalog in the editor. ``python -m tests.web.walks.pictures FOLDER`` keeps every look.
"""

import io
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.web.browsing import launched
from tests.web.walks import admin, test_answers, test_choosing, test_left_out, test_rows_done
from tests.web.walks.editor import Editor, editor_page
from tests.web.walks.engine import Engine
from tests.web.walks.hosts import Host
from tests.web.walks.test_admin import SCHEMES
from tests.web.walks.test_choosing import chooser, publish_many
from tests.web.walks.test_rows_done import ROWS, Customers, as_answered
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
STEPS = (
    "upload", "typing", "table", "columns", "review", "done",
    "choosing", "left-out", "rows", "values", "questions", "failed",
)  # fmt: skip
FILE, CATALOG = "orders-cp1252.csv", "orders"
PAGE = "body { margin: 0; background: #eef0f4 } main { padding: 16px } h1 { display: none }"
DOCS = Path(__file__).resolve().parents[3] / "docs"
ADD_MONTH = """
from licensing.models import Tenant
from tests.importengine.overview_rows import add_month
add_month(Tenant.objects.get(public_id='tnt_demo'))
"""
ADD_ANALYTICS = """
from licensing.models import Tenant
from tests.importengine.analytics_rows import add_corrections, add_imports
tenant = Tenant.objects.get(public_id='tnt_demo')
add_imports(tenant)
add_corrections(tenant)
"""
ADD_FEED = """
from licensing.models import Tenant
from tests.importengine.feed_rows import add_waiting
print(add_waiting(Tenant.objects.get(public_id='tnt_demo')).public_id)
"""
QUALITY = 72
LINES_HEIGHT = 1000  # pixels, to see some lines


def main(folder: Path) -> None:
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        engine = Engine(Path(data))
        engine.start()
        try:
            with Host(engine.origin, engine.key) as host:
                browser = launched(playwright)
                many, customers = publish_many(engine), Customers(engine, host)
                for look, about in looks(folder).items():
                    walk(browser, host, folder, look, **about)
                    choosing(browser, host, folder, look, key=many, **about)
                    left_out(browser, host, folder, look, **about)
                    lines(browser, customers, folder, look, **about)
                    questions_shown(browser, host, folder, look, **about)
                    troubled(browser, host, folder, look, **about)
                catalogs(browser, engine, host, folder)
                overview(browser, engine, folder)
                analytics(browser, engine, folder)
                feeds(browser, engine, folder)
                browser.close()
        finally:
            engine.stop()


def shown_on_pages() -> set[str]:
    """Return the names of the pictures that a page of the docs shows."""
    pages = [DOCS.parent / "README.md", *DOCS.rglob("*.md")]
    return {
        name
        for page in pages
        for name in re.findall(r"screens/([\w-]+\.webp)", page.read_text("utf-8"))
    }


def is_wanted(path: Path) -> bool:
    """Return whether to keep a picture; in the docs, one that a page shows."""
    return path.parent.resolve() != DOCS / "screens" or path.name in shown_on_pages()


def looks(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the looks that pictures are wanted of."""
    return {
        look: about
        for look, about in LOOKS.items()
        if any(is_wanted(folder / f"{step}-{look}.webp") for step in STEPS)
    }


def walk(
    browser: Browser, host: Host, folder: Path, look: str, *, viewport: Any, **attributes: str
) -> None:
    """Take the pictures of one look."""
    session = {"catalogKey": CATALOG, "scope": look}
    url = host.widget_page(css=PAGE, session=session, show_all_steps="", **attributes)
    widget = opened(browser, url, viewport)
    page = widget.page
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
    widget.element.get_by_text("can’t undo this automatically").wait_for()
    widget.until(lambda: not widget.element.locator(".busy").count(), "nothing is on its way")
    take(widget, folder / f"done-{look}.webp")
    page.context.close()


def choosing(
    browser: Browser, host: Host, folder: Path, look: str, *, key: str, viewport: Any, **about: str
) -> None:
    """Take the picture of a search for a field."""
    url = host.widget_page(css=PAGE, session={"catalogKey": key}, show_all_steps="", **about)
    widget = opened(browser, url, viewport)
    widget.choose(test_choosing.FILE)
    widget.go_to("columns")
    chooser(widget).click()
    widget.page.keyboard.type("n")
    widget.element.get_by_role("option").first.wait_for()
    take(widget, folder / f"choosing-{look}.webp")
    widget.page.context.close()


def left_out(browser: Browser, host: Host, folder: Path, look: str, **about: Any) -> None:
    """Take the picture of the drawer with the skipped rows."""
    with at_orders(browser, host, f"left-out-{look}", **about) as widget:
        widget.choose(test_left_out.FILE)
        widget.go_to("review")
        widget.element.get_by_role("button", name=test_left_out.LEFT_OUT).click()
        widget.button("Restore").first.wait_for()
        take(widget, folder / f"left-out-{look}.webp")


def lines(
    browser: Browser, customers: Customers, folder: Path, look: str, *, viewport: Any, **about: str
) -> None:
    """Take the picture of the result of each row."""
    engine, host = customers.engine, customers.host
    host.results = [as_answered(n) for n in range(ROWS)]
    url = host.widget_page(css=PAGE, key=engine.key, catalog_key=customers.publish(), **about)
    widget = opened(browser, url, viewport)
    widget.choose(test_rows_done.FILE)
    widget.go_to("review")
    widget.import_all()
    widget.wait_for_applied()
    widget.button("Refused 2").wait_for()
    widget.element.get_by_text("can’t undo this automatically").wait_for()
    widget.until(lambda: not widget.element.locator(".busy").count(), "nothing is on its way")
    widget.page.set_viewport_size({**viewport, "height": LINES_HEIGHT})
    take(widget, folder / f"rows-{look}.webp")
    host.results = []
    widget.page.context.close()


def questions_shown(browser: Browser, host: Host, folder: Path, look: str, **about: Any) -> None:
    """Take the pictures of values that match no option, and of the preview of an answer."""
    with at_orders(browser, host, f"asked-{look}", **about) as widget:
        test_answers.come_to_values(widget)
        take(widget, folder / f"values-{look}.webp")
        if about["viewport"] is not NARROW:  # there the questions lie in a drawer
            test_answers.try_an_answer(widget)
            take(widget, folder / f"questions-{look}.webp")


def troubled(browser: Browser, host: Host, folder: Path, look: str, **about: Any) -> None:
    """Take the picture of an unreadable file."""
    with at_orders(browser, host, f"troubled-{look}", **about) as widget:
        widget.choose(test_answers.BROKEN)
        widget.until(lambda: widget.heard("import-error"), "the page hears of trouble")
        take(widget, folder / f"failed-{look}.webp")


@contextmanager
def at_orders(
    browser: Browser, host: Host, scope: str, *, viewport: Any, **attributes: str
) -> Iterator[Widget]:
    """Open the widget in a new session, yield it, and close its page at the end."""
    session = {"catalogKey": CATALOG, "scope": scope}
    widget = opened(browser, host.widget_page(css=PAGE, session=session, **attributes), viewport)
    yield widget
    widget.page.context.close()


def opened(browser: Browser, url: str, viewport: Any) -> Widget:
    """Open a page in a new profile."""
    context = browser.new_context(viewport=viewport, reduced_motion="reduce")
    page = context.new_page()
    page.goto(url)
    return Widget(page)


def catalogs(browser: Browser, engine: Engine, host: Host, folder: Path) -> None:
    """Take the pictures of the editor: from the list and a sample file to the review."""
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


def overview(browser: Browser, engine: Engine, folder: Path) -> None:
    """Take the pictures of the first page of the admin, wide and narrow, light and dark."""
    engine.manage("shell", "--no-imports", "-c", ADD_MONTH)
    for look, width in (("wide", 1280), ("mobile", NARROW["width"])):
        for scheme in SCHEMES:
            about: Any = {"viewport": {"width": width, "height": 1000}, "color_scheme": scheme}
            page = browser.new_context(**about).new_page()
            admin.sign_in(page, engine)
            keep(page.screenshot(), folder / f"overview-{look}-{scheme}.webp")
            page.context.close()


def analytics(browser: Browser, engine: Engine, folder: Path) -> None:
    """Take a picture of what imports say about a catalog."""
    engine.manage("shell", "--no-imports", "-c", ADD_ANALYTICS)
    page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
    admin.sign_in(page, engine)
    page.goto(f"{engine.origin}/admin/catalogs/{CATALOG}/analytics")
    keep(page.screenshot(), folder / "analytics-wide-light.webp")
    page.context.close()


def feeds(browser: Browser, engine: Engine, folder: Path) -> None:
    """Take pictures of a feed in the admin, and of its import that waits."""
    record_id = engine.manage("shell", "--no-imports", "-c", ADD_FEED).split()[-1]
    page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
    admin.sign_in(page, engine)
    page.goto(f"{engine.origin}/admin/feeds/waiting/{record_id}/")
    keep(page.screenshot(), folder / "feed-waiting-wide-light.webp")
    page.get_by_role("link", name="Orders of Hamburg").click()
    page.get_by_role("button", name="Test connection").wait_for()
    keep(page.screenshot(full_page=True), folder / "feed-wide-light.webp")
    page.context.close()


def take(shown: Widget | Editor, path: Path) -> None:
    """Save a picture of the page."""
    keep(shown.page.screenshot(), path)


def keep(png: bytes, path: Path) -> None:
    """Write a picture in a small format, if it is wanted."""
    if not is_wanted(path):
        return
    Image.open(io.BytesIO(png)).convert("RGB").save(path, "WEBP", quality=QUALITY, method=6)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

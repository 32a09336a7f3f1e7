"""
Every screen of the widget, one after the other; ``make screens`` takes a picture of each.

Pictures are taken at three widths, in English and German, light and dark, into ``var/screens``.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.web.browsing import launched
from tests.web.walks.editor import Editor
from tests.web.walks.engine import Engine
from tests.web.walks.hosts import Host
from tests.web.walks.widget import Widget

HEAD = "Order number,Customer,Ordered on,Article,Quantity,Unit price,Status\n"
BAD = "A-{n},Ada {n},2026-02-03,LX-100,many,19.90,open\n"
GOOD = "B-{n},Bob {n},2026-02-03,LX-100,2,19.90,open\n"
FILE = "Orders of March\n\n" + HEAD
FILE += "".join(BAD.format(n=n) for n in range(5)) + "".join(GOOD.format(n=n) for n in range(15))
ASKED = FILE.replace("19.90,open", "19.90,waiting", 1)
DAYS = HEAD + "".join(
    f"A-{n},Ada {n},{day},Lamp,2,3.50,open\n"
    for n, day in enumerate(("12/04/2026", "01/02/2026", "03/25/2026", "25/03/2026"))
)
STAFF = "Employee,Birthday,Salary,Department,Manager,Desk,Phone,Badge\n"
STAFF += "".join(f"Ann {n},1990-02-0{n},{n}000,Sales,Bob,{n}A,+49 30 1,{n}\n" for n in range(1, 9))
PDF = {"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7\nnothing"}
CSS = "body { margin: 0 } h1 { display: none }"
WIDTHS, HEIGHT = (390, 820, 1280), 860
Walk = Callable[[Widget], Iterator[str]]


def file_of(text: str) -> dict[str, object]:
    """Return a text as a file to choose."""
    return {"name": "orders.csv", "mimeType": "text/csv", "buffer": text.encode()}


def steps(widget: Widget) -> Iterator[str]:
    """Walk one import; yield the name of each screen while it is shown."""
    shown = widget.element
    widget.until(widget.is_ready, "the widget is ready")
    yield "upload"
    shown.locator("[part~=dropzone] button").last.click()
    shown.get_by_role("gridcell").first.wait_for()
    yield "typing"
    shown.locator("[part~=footer] button").first.click()

    widget.choose(file_of(ASKED))
    for step in ("table", "columns"):
        widget.go_to(step)
        yield step
    widget.primary.first.click()
    shown.get_by_text("waiting", exact=True).wait_for()
    yield "values"
    widget.go_to("review")
    shown.get_by_role("gridcell", name="A-1").wait_for()
    yield "review"
    shown.locator("[part~=issue] button").first.click()
    shown.locator("[part~=issue] form").wait_for()
    yield "review, an issue open"
    yield from _import(widget)


def _import(widget: Widget) -> Iterator[str]:
    """Leave the review of errors for the import."""
    shown = widget.element
    shown.locator("aside section.question button").last.click()  # as it is: nothing is asked
    buttons = shown.locator("[part~=footer] button:enabled")
    widget.until(lambda: buttons.count() == 3, "three buttons can be pressed")
    yield "review, errors left"
    shown.locator("[part~=footer] button[aria-expanded]").click()
    shown.locator("[part~=footer] button").nth(3).wait_for()
    yield "review, the other ways to import"
    shown.locator("[part~=footer] button").nth(3).click()
    shown.get_by_role("dialog").wait_for()
    yield "review, errors included"
    shown.get_by_role("dialog").locator("button").first.click()
    shown.get_by_role("dialog").wait_for(state="detached")
    widget.primary.last.click()
    widget.wait_for_applied()
    widget.until(lambda: not shown.locator(".busy").count(), "nothing is on its way")
    yield "import"
    shown.locator("[part~=footer] button").first.click()
    shown.get_by_role("dialog").wait_for()
    yield "receipt"


def asides(widget: Widget) -> Iterator[str]:
    """Show what an import shows only where something is unusual."""
    shown = widget.element
    widget.choose(file_of(STAFF))
    shown.locator(".wrong").wait_for()
    yield "another catalog"
    widget.evaluate("() => document.querySelector('service-import').reset()")
    widget.choose(file_of(HEAD))
    shown.locator(".wrong").wait_for()
    yield "no rows"
    widget.evaluate("() => document.querySelector('service-import').reset()")
    widget.choose(PDF)
    widget.until(lambda: widget.heard("import-error"), "the page hears of trouble")
    shown.locator("[part~=notice]").first.wait_for()
    yield "failed"
    widget.evaluate("() => document.querySelector('service-import').reset()")
    widget.choose(file_of(DAYS))
    widget.go_to("review")
    shown.locator("[part~=footer] [part~=primary-button]").click()
    answer = shown.locator(".answer").nth(1)
    answer.click()
    shown.locator(".does span").first.wait_for()
    yield "an answer tried"


def editing(editor: Editor) -> Iterator[str]:
    """Walk the editor; yield the name of each view while it is shown."""
    shown, quiet = editor.element, "networkidle"
    shown.locator(".catalogs .as-link").first.wait_for()
    yield "catalogs"
    menu = shown.locator("[part~=header] button[aria-expanded]")
    for number, name in enumerate(("a new catalog", "a catalog from a file")):
        menu.click()
        shown.locator(".menu button").nth(number).click()
        shown.locator(".menu").wait_for(state="detached")
        editor.page.wait_for_load_state(quiet)
        yield name
        shown.locator("[part~=header] button").first.click()
    shown.locator(".catalogs .as-link").first.click()
    for number, name in enumerate(("fields", "details", "contract", "test", "JSON")):
        shown.get_by_role("tab").nth(number).click()
        editor.page.wait_for_load_state(quiet)
        yield name
    shown.locator("[part~=header] button.primary").click()
    shown.locator("#note, .versions li").first.wait_for()
    yield "versions"


def _shoot(widget: Widget, folder: Path, title: str) -> None:
    """Take the pictures of a screen in every width and scheme."""
    page = widget.page
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.querySelector('service-import').theme = theme }", theme)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": HEIGHT})
            page.wait_for_timeout(60)  # the grid paints in the next frame
            page.screenshot(path=folder / f"{title}-{theme}-{width}.png")
    page.set_viewport_size({"width": WIDTHS[-1], "height": HEIGHT})


def _take(browser: Browser, host: Host, folder: Path, walk: Walk, locale: str) -> None:
    """Take the pictures of one walk in one language."""
    more = {"show_all_steps": ""} if walk is steps else {}
    session = {"catalogKey": "orders", "scope": f"{walk.__name__}-{locale}"}
    url = host.widget_page(session=session, css=CSS, locale=locale, **more)
    page = browser.new_page(viewport={"width": WIDTHS[-1], "height": HEIGHT})
    page.goto(url)
    widget = Widget(page)
    for number, name in enumerate(walk(widget)):
        widget.until(widget.is_loaded, "the step shows what it has")
        title = f"{walk.__name__}-{number:02}-{name.replace(', ', '-').replace(' ', '-')}-{locale}"
        _shoot(widget, folder, title)
    page.close()


def main(folder: Path) -> None:
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        engine = Engine(Path(data))
        engine.start()
        try:
            with Host(engine.origin, engine.key) as host:
                browser = launched(playwright)
                for locale in ("en", "de"):
                    for walk in (steps, asides):
                        _take(browser, host, folder, walk, locale)
                browser.close()
        finally:
            engine.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

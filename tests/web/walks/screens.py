"""
Every screen of the widget and the editor; ``make screens`` takes their pictures and the admin's.

Pictures are taken at three widths, in English and German, light and dark, into ``var/screens``.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.browsing import launched
from tests.web.walks.admin import add_rows, sign_in
from tests.web.walks.editor import Editor, editor_page
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
SCHEMES: tuple[Any, ...] = ("light", "dark")
THEME = "([name, theme]) => { document.querySelector(name).theme = theme }"
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


def administering(page: Page, engine: Engine) -> Iterator[str]:
    """Walk what the admin shows of imports; yield the name of each page while it is shown."""
    sign_in(page, engine)
    yield "overview"
    for name in ("imports/importrecord", "deliveries/delivery", "ledger/question"):
        page.goto(f"{engine.origin}/admin/{name}/")
        yield name.split("/")[1]
        page.locator("#result_list tbody th a").first.click()
        page.locator(".submit-row, .historylink").first.wait_for()
        yield f"{name.split('/')[1]}, a row"


def _shoot(page: Page, folder: Path, title: str, element: str = "") -> None:
    """Take the pictures of a screen in every width and scheme. element: what has a theme."""
    for theme in SCHEMES:
        if element:
            page.evaluate(THEME, [element, theme])
        else:
            page.emulate_media(color_scheme=theme)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": HEIGHT})
            page.wait_for_timeout(60)  # the grid paints in the next frame
            page.screenshot(path=folder / f"{title}-{theme}-{width}.png")
    page.set_viewport_size({"width": WIDTHS[-1], "height": HEIGHT})


def _titled(walk: str, number: int, name: str, locale: str) -> str:
    named = name.replace(", ", "-").replace(" ", "-")
    return f"{walk}-{number:02}-{named}-{locale}"


def _take(browser: Browser, host: Host, folder: Path, walk: Walk, locale: str) -> None:
    """Take the pictures of one walk of the widget in one language."""
    more = {"show_all_steps": ""} if walk is steps else {}
    session = {"catalogKey": "orders", "scope": f"{walk.__name__}-{locale}"}
    url = host.widget_page(session=session, css=CSS, locale=locale, **more)
    page = browser.new_page(viewport={"width": WIDTHS[-1], "height": HEIGHT})
    page.goto(url)
    widget = Widget(page)
    for number, name in enumerate(walk(widget)):
        widget.until(widget.is_loaded, "the step shows what it has")
        _shoot(page, folder, _titled(walk.__name__, number, name, locale), "service-import")
    page.close()


def _take_editor(browser: Browser, host: Host, folder: Path, key: str, locale: str) -> None:
    page = browser.new_page(viewport={"width": WIDTHS[-1], "height": HEIGHT})
    page.goto(editor_page(host, key=key, locale=locale))
    for number, name in enumerate(editing(Editor(page))):
        _shoot(page, folder, _titled("editor", number, name, locale), "service-catalog-editor")
    page.close()


def _take_admin(browser: Browser, engine: Engine, folder: Path) -> None:
    page = browser.new_page(viewport={"width": WIDTHS[-1], "height": HEIGHT})
    for number, name in enumerate(administering(page, engine)):
        _shoot(page, folder, _titled("admin", number, name, "en"))
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
                    _take_editor(browser, host, folder, engine.editor_key(), locale)
                add_rows(engine)
                _take_admin(browser, engine, folder)
                browser.close()
        finally:
            engine.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Rows are typed or pasted into an empty sheet, and continue like those of a file."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.web.walks.engine import Engine, until
from tests.web.walks.test_accessibility import press_until, violations
from tests.web.walks.test_pages import orders
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

PHONE = {"viewport": {"width": 390, "height": 780}}
PASTED = "A-7\t2026-02-03\tAda\t\tLX-100\t2\nA-8\t2026-02-04\tBob\t\tLX-200\t1\n"
ROW = ["A-1", "2026-02-03", "Nordlicht", "", "LX-100", "2", "19.90", "", "open"]
PASTE = """text => {
  let at = document.activeElement
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  const about = {clipboardData, bubbles: true, composed: true, cancelable: true}
  at.dispatchEvent(new ClipboardEvent('paste', about))
}"""
STOPS_UNLOAD = "() => !dispatchEvent(new Event('beforeunload', {cancelable: true}))"


def open_sheet(widget: Widget) -> None:
    """Open the sheet with its first cell focused."""
    widget.until(widget.is_ready, "the widget is ready")
    widget.element.get_by_role("button", name="typed").or_(
        widget.button("Enter rows by hand")
    ).first.click()
    widget.heading("Type your rows").wait_for()
    widget.element.get_by_role("gridcell").first.click()


def type_in(page: Page, *texts: str) -> None:
    """Type into adjacent cells."""
    for text in texts:
        page.keyboard.type(text)
        page.keyboard.press("Tab" if text else "ArrowRight")  # Tab alone would leave the grid


def test_typed_rows_are_imported_without_a_question_about_columns(
    open_widget: Callable[..., Widget], engine: Engine
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "typed"})
    open_sheet(widget)
    assert widget.button("Continue").is_disabled()

    type_in(widget.page, *ROW)
    widget.element.get_by_text("1 row typed").wait_for()
    widget.button("Continue").click()

    widget.until(lambda: widget.step == "review", "the review is there")
    widget.import_all()
    event = widget.wait_for_applied()
    assert event["rowCount"] == 1
    until(lambda: engine.received(event["recordId"]), "the receiver has the row")


def test_cells_of_a_spreadsheet_are_pasted_and_one_undo_takes_them_back(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders"})
    open_sheet(widget)

    widget.page.evaluate(PASTE, PASTED)
    widget.element.get_by_text("2 rows typed").wait_for()
    widget.button("Undo").click()
    widget.element.get_by_text("0 rows typed").wait_for()
    widget.button("Redo").click()
    widget.element.get_by_text("2 rows typed").wait_for()
    widget.button("Continue").click()

    widget.until(lambda: widget.step == "review", "the review is there")
    widget.element.get_by_role("gridcell", name="Bob").wait_for()


def test_a_typed_error_is_shown_in_the_review(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders"})
    open_sheet(widget)

    type_in(widget.page, ROW[0], "2026-02-31", *ROW[2:])
    widget.button("Continue").click()

    widget.until(lambda: widget.step == "review", "the review is there")
    widget.element.get_by_text("Errors 1").wait_for()


def test_what_was_typed_stays_when_a_person_goes_back_or_imports_a_file(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "kept"})
    open_sheet(widget)
    assert widget.evaluate(STOPS_UNLOAD) is False
    type_in(widget.page, "A-1")

    widget.button("Back").click()
    assert widget.evaluate(STOPS_UNLOAD) is True
    widget.choose(orders())
    widget.go_to("review")
    widget.import_all()
    widget.wait_for_applied()
    widget.button("Import another file").click()
    widget.button("Resume with 1 typed row").click()

    widget.element.get_by_role("gridcell", name="A-1").wait_for()


def test_typed_rows_outlast_another_key_and_another_catalog(
    open_widget: Callable[..., Widget], engine: Engine
) -> None:
    widget = open_widget(key=engine.key, catalog_key="orders")
    open_sheet(widget)
    type_in(widget.page, "A-1")
    page_sets = "([name, value]) => { document.querySelector('service-import')[name] = value }"

    widget.page.evaluate(page_sets, ["catalogKey", "stock"])
    widget.until(lambda: len(widget.heard("import-ready")) == 2, "the other catalog is there")
    widget.button("Enter rows by hand").wait_for()  # rows of orders are not rows of stock
    assert widget.evaluate(STOPS_UNLOAD) is True

    widget.page.evaluate(page_sets, ["catalogKey", "orders"])
    widget.page.evaluate(page_sets, ["licenseKey", engine.editor_key()])
    widget.button("Resume with 1 typed row").click()
    widget.element.get_by_role("gridcell", name="A-1").wait_for()

    widget.evaluate("() => document.querySelector('service-import').reset()")
    widget.button("Enter rows by hand").wait_for()
    assert widget.evaluate(STOPS_UNLOAD) is False


def test_closing_with_typed_rows_asks(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders"})
    open_sheet(widget)
    type_in(widget.page, "A-1")

    widget.evaluate("() => document.querySelector('service-import').close()")
    widget.element.get_by_text("What you typed is not saved until").wait_for()
    widget.button("Stay here").click()

    widget.element.get_by_role("gridcell", name="A-1").wait_for()
    widget.evaluate("() => document.querySelector('service-import').close()")
    widget.button("Discard the import").click()
    widget.until(lambda: widget.heard("import-closed") == [None], "it is closed")
    assert widget.evaluate(STOPS_UNLOAD) is False


def test_rows_that_could_not_be_sent_stay_typed(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders"})
    open_sheet(widget)
    type_in(widget.page, *ROW)

    widget.page.context.set_offline(True)
    widget.button("Continue").click()
    widget.element.get_by_role("alert").wait_for()
    widget.element.get_by_role("gridcell", name="Nordlicht").wait_for()
    widget.page.context.set_offline(False)
    widget.button("Try again").click()

    widget.until(lambda: widget.step == "review", "the review is there")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_sheet(scheme: str, open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders"}, theme=scheme)
    open_sheet(widget)
    type_in(widget.page, "A-1")

    assert violations(widget) == []


def test_a_keyboard_is_enough_to_type_rows(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders"})
    widget.until(widget.is_ready, "the widget is ready")
    press_until(widget, "Enter rows by hand")
    widget.page.keyboard.press("Enter")
    widget.heading("Type your rows").wait_for()
    cell = widget.element.locator("[role=gridcell]:focus")
    widget.until(lambda: cell.count() == 1, "the first cell has the focus")

    type_in(widget.page, *ROW)
    press_until(widget, "Continue")
    widget.page.keyboard.press("Enter")

    widget.until(lambda: widget.step == "review", "the review is there")


def test_a_phone_types_into_a_sheet_below(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders"}, browser_about=PHONE)
    open_sheet(widget)
    widget.page.keyboard.press("Enter")
    widget.element.get_by_role("textbox").fill("A-1")
    widget.button("Save").click()

    widget.element.get_by_text("1 row typed").wait_for()
    width = "() => document.documentElement.scrollWidth"
    assert widget.evaluate(width) <= PHONE["viewport"]["width"]

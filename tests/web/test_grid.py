"""The review grid in a real browser, over a million rows that are made when they are asked for."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, FloatRect, Locator, Page, expect

from tests.web.browsing import FRONTEND

pytestmark = pytest.mark.web

MILLION = 1_000_000
ROW = 34
ERROR_EVERY = 197  # rows 196, 393, ... have an invalid date in column 4
WIDE = {"width": 1180, "height": 760}
PHONE = {"width": 390, "height": 760}
FIRST_SHOWN = """() => {
  const body = grid.shadowRoot.querySelector('.body').getBoundingClientRect()
  const rows = [...grid.shadowRoot.querySelectorAll('.body .row')]
  const shown = rows.filter(row => row.getBoundingClientRect().top >= body.top - 0.5)
  return Math.min(...shown.map(row => row.ariaRowIndex ?? row.getAttribute('aria-rowindex'))) - 2
}"""


class Grid:
    """The grid of an opened page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator("si-review-grid")
        self.editor = page.locator("si-review-grid textarea")
        self.live = page.locator("si-review-grid .live")

    def cell(self, row: int, col: int) -> Locator:
        """Return a painted cell by its position."""
        return self.page.locator(f'[aria-rowindex="{row + 2}"] > [aria-colindex="{col + 2}"]')

    def focus(self, row: int, col: int) -> None:
        """Focus a cell, and wait for its text."""
        self.page.evaluate("([row, col]) => grid.focusCell(row, col)", [row, col])
        expect(self.cell(row, col)).to_be_focused()
        expect(self.cell(row, col)).not_to_have_class(re.compile("loading"))

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def wheel(self, by: float) -> None:
        """Turn the wheel over the rows."""
        self.root.hover()
        self.page.mouse.wheel(0, by)

    def until(self, text: str) -> None:
        """Wait until an expression is true in the page, whose policy allows no other evaluation."""
        for _ in range(1_000):
            if self.page.evaluate(text):
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"it never came to it that {text}")

    def await_first(self, is_right: Callable[[int], bool]) -> None:
        """Wait until the first visible row is the right one."""
        for _ in range(1_000):
            if is_right(self.first_shown()):
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"the first row is {self.first_shown()}")

    def first_shown(self) -> int:
        """Return the first row that is fully visible below the header."""
        shown: int = self.page.evaluate(FIRST_SHOWN)
        return shown

    def edits(self) -> list[list[dict[str, Any]]]:
        """Return the batches of edits sent to the page."""
        sent: list[list[dict[str, Any]]] = self.page.evaluate("seen.edits")
        return sent

    def await_edits(self, count: int = 1) -> list[dict[str, Any]]:
        """Wait for a number of batches; return the last one."""
        for _ in range(500):
            if len(sent := self.edits()) >= count:
                return sent[-1]
            self.page.wait_for_timeout(10)
        raise AssertionError(f"{len(self.edits())} batches of edits, not {count}")

    def events(self, name: str) -> list[Any]:
        """Return the details of the other events of a name."""
        seen = self.page.evaluate("seen.events")
        return [json.loads(line.split(" ", 1)[1]) for line in seen if line.startswith(name)]


Open = Callable[..., Grid]


def box_of(locator: Locator) -> FloatRect:
    """Return where an element is."""
    box = locator.bounding_box()
    assert box is not None
    return box


@pytest.fixture
def open_grid(browser: Browser, pages: str) -> Iterator[Open]:
    """Yield a function that opens the grid page; blocked resources fail the test."""
    contexts: list[BrowserContext] = []

    def open_it(*, context: dict[str, Any] | None = None, **options: object) -> Grid:
        opened = browser.new_context(**{"viewport": WIDE, **(context or {})})
        opened.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append(opened)
        page = opened.new_page()
        page.goto(f"{pages}/grid.html?{urlencode(options)}")
        if options.get("rows") != 0:
            expect(page.locator('[aria-rowindex="2"] > [aria-colindex="2"]')).to_have_text("10000")
        return Grid(page)

    yield open_it
    refused = [page.evaluate("violations") for context in contexts for page in context.pages]
    for context in contexts:
        context.close()
    assert refused == [[] for _ in refused]


@pytest.fixture
def grid(open_grid: Open) -> Grid:
    """Return a grid of a million rows."""
    return open_grid()


def test_a_million_rows_are_one_grid_of_a_few_elements(grid: Grid) -> None:
    role = grid.page.get_by_role("grid", name="Rows to import")

    expect(role).to_have_attribute("aria-rowcount", str(MILLION + 1))
    expect(role).to_have_attribute("aria-colcount", "21")
    assert grid.page.evaluate("grid.shadowRoot.querySelectorAll('*').length") < 1_500


def test_the_last_row_is_reached_and_the_first_again(grid: Grid) -> None:
    grid.focus(0, 0)

    grid.press("Control+End")
    expect(grid.cell(MILLION - 1, 19)).to_have_text("r999999 c19")
    expect(grid.cell(MILLION - 1, 19)).to_be_focused()
    expect(grid.cell(MILLION - 1, 19)).to_be_in_viewport()

    grid.press("Control+Home")
    expect(grid.cell(0, 0)).to_be_focused()
    assert grid.first_shown() == 0


def test_pages_add_up_exactly(grid: Grid) -> None:
    grid.focus(0, 0)
    grid.press("PageDown")
    page = int(grid.page.evaluate("grid.shadowRoot.activeElement.parentElement.ariaRowIndex")) - 2

    grid.press(*["PageDown"] * 29)

    assert page > 10
    expect(grid.cell(30 * page, 0)).to_be_focused()
    expect(grid.cell(30 * page, 0)).to_have_text(str(10_000 + 30 * page))


@pytest.mark.parametrize("row", [0, 500_000, MILLION - 100])
def test_a_wheel_moves_exactly_its_pixels(grid: Grid, row: int) -> None:
    grid.focus(row, 0)
    before = grid.first_shown()

    grid.wheel(10 * ROW)

    grid.await_first(lambda row: row == before + 10)


def test_a_drag_of_the_thumb_leads_to_the_proportional_row(grid: Grid) -> None:
    grid.page.evaluate("grid.shadowRoot.querySelector('.scroller').scrollTop = 4_000_000")

    grid.await_first(lambda row: abs(row - MILLION / 2) < 1_000)
    expect(grid.page.locator(".body .row").nth(5)).to_contain_text("Company")


def test_the_scroll_bar_tells_the_truth_when_a_scroll_has_ended(grid: Grid) -> None:
    grid.focus(500_000, 0)
    before = grid.first_shown()
    for _ in range(5):
        grid.wheel(10 * ROW)
    grid.await_first(lambda row: row == before + 50)

    scroller = grid.page.locator("si-review-grid .scroller")
    for _ in range(500):
        scroll_top = scroller.evaluate("scroller => scroller.scrollTop")
        if abs(scroll_top - (before + 50) / MILLION * 8_000_000) < 500:
            break
        grid.page.wait_for_timeout(20)

    assert abs(scroll_top - (before + 50) / MILLION * 8_000_000) < 500
    assert grid.first_shown() == before + 50


def test_only_what_is_visible_is_asked_for_and_stale_requests_are_given_up(
    open_grid: Open,
) -> None:
    grid = open_grid(latency=1_000)
    grid.await_first(lambda row: row == 0)

    for place in (1_000_000, 3_000_000, 5_000_000, 7_000_000):
        requests = grid.page.evaluate("seen.asked.length")
        grid.page.evaluate(f"grid.shadowRoot.querySelector('.scroller').scrollTop = {place}")
        grid.until(f"seen.asked.length > {requests}")
    grid.await_first(lambda row: row > MILLION / 2)
    expect(grid.page.locator(".body .row").nth(5)).to_contain_text("Company")

    requests = grid.page.evaluate("seen.asked")
    assert len(requests) < 15
    assert any(request["aborted"] for request in requests)
    assert not requests[-1]["aborted"]


def test_rows_that_could_not_be_fetched_are_fetched_again(grid: Grid) -> None:
    grid.page.evaluate("seen.failing = true")
    grid.page.evaluate("grid.focusCell(700_000, 0)")
    expect(grid.cell(700_000, 0)).to_have_class(re.compile("loading"))
    grid.until("seen.events.some(said => said.startsWith('grid-error'))")

    grid.page.evaluate("seen.failing = false")

    expect(grid.cell(700_000, 0)).to_have_text("710000")
    assert grid.events("grid-error")


def test_the_focus_is_real_and_stays_where_it_is_when_the_view_moves_away(grid: Grid) -> None:
    grid.focus(3, 2)

    grid.wheel(5_000)
    grid.await_first(lambda row: row > 100)
    expect(grid.cell(3, 2)).to_be_focused()

    grid.press("ArrowDown")
    expect(grid.cell(4, 2)).to_be_focused()
    expect(grid.cell(4, 2)).to_be_in_viewport()


def test_one_cell_is_in_the_tab_order_and_tab_leaves_the_grid(grid: Grid) -> None:
    grid.page.locator("#before").focus()
    grid.press("Tab")
    expect(grid.cell(0, 0)).to_be_focused()
    grid.press("ArrowDown", "ArrowRight")
    assert grid.page.evaluate("grid.shadowRoot.querySelectorAll('[tabindex=\"0\"]').length") == 1

    grid.press("Tab")

    expect(grid.page.locator("#after")).to_be_focused()
    grid.press("Shift+Tab")
    expect(grid.cell(1, 1)).to_be_focused()


def test_typing_replaces_a_text_and_enter_goes_down(grid: Grid) -> None:
    grid.focus(0, 1)

    grid.page.keyboard.type("New name")
    grid.press("Enter")

    assert grid.await_edits() == [{"row": 0, "field": "f1", "text": "New name"}]
    expect(grid.cell(0, 1)).to_have_text("New name")
    expect(grid.cell(1, 1)).to_be_focused()


@pytest.mark.parametrize(
    ("key", "row", "col"),
    [("Tab", 5, 2), ("Shift+Tab", 5, 0), ("Enter", 6, 1), ("Shift+Enter", 4, 1)],
)
def test_an_edit_leads_on(grid: Grid, key: str, row: int, col: int) -> None:
    grid.focus(5, 1)
    grid.press("F2")
    expect(grid.editor).to_have_value("Company 5")

    grid.press("End", "!", key)

    assert grid.await_edits()[0]["text"] == "Company 5!"
    expect(grid.cell(row, col)).to_be_focused()


def test_escape_leaves_a_cell_as_it_was(grid: Grid) -> None:
    grid.focus(0, 1)

    grid.page.keyboard.type("Nothing of this")
    grid.press("Escape")

    expect(grid.editor).to_have_count(0)
    expect(grid.cell(0, 1)).to_be_focused()
    assert grid.edits() == []


def test_a_text_that_did_not_change_is_not_an_edit(grid: Grid) -> None:
    grid.focus(0, 1)

    grid.press("F2", "Enter")

    expect(grid.cell(1, 1)).to_be_focused()
    assert grid.edits() == []


def test_a_line_is_broken_with_alt_and_enter(grid: Grid) -> None:
    grid.focus(0, 1)

    grid.press("a", "Alt+Enter", "b", "Enter")

    assert grid.await_edits()[0]["text"] == "a\nb"


def test_an_edit_survives_scrolling_away_and_comes_back_with_the_next_key(grid: Grid) -> None:
    grid.focus(2, 1)
    grid.page.keyboard.type("Half a")

    grid.wheel(60_000)
    expect(grid.editor).not_to_be_in_viewport()
    grid.page.keyboard.type(" name")
    expect(grid.editor).to_be_in_viewport()
    grid.press("Enter")

    assert grid.await_edits() == [{"row": 2, "field": "f1", "text": "Half a name"}]


def test_a_click_elsewhere_takes_the_text(grid: Grid) -> None:
    grid.focus(0, 1)
    grid.page.keyboard.type("Taken")

    grid.cell(4, 2).click()

    assert grid.await_edits()[0]["text"] == "Taken"
    expect(grid.cell(4, 2)).to_be_focused()


def test_enter_belongs_to_the_input_method_while_it_composes(grid: Grid) -> None:
    grid.focus(0, 1)
    grid.press("F2")
    grid.press("Control+a", "Delete")
    devtools = grid.page.context.new_cdp_session(grid.page)
    composed = {"text": "にほん", "selectionStart": 3, "selectionEnd": 3}
    devtools.send("Input.imeSetComposition", composed)

    grid.editor.dispatch_event("keydown", {"key": "Enter", "isComposing": True})
    expect(grid.editor).to_have_value("にほん")
    devtools.send("Input.insertText", {"text": "日本"})
    grid.press("Enter")

    assert grid.await_edits()[0]["text"] == "日本"


def test_a_read_only_cell_is_not_edited(grid: Grid) -> None:
    grid.focus(0, 19)

    grid.press("Enter", "x", "Delete")

    expect(grid.editor).to_have_count(0)
    assert grid.edits() == []
    expect(grid.cell(0, 19)).to_have_attribute("aria-readonly", "true")


def test_a_range_is_copied_and_pasted_as_a_spreadsheet_does(grid: Grid) -> None:
    grid.focus(0, 0)
    grid.press("Shift+ArrowRight", "Shift+ArrowDown", "Control+c")
    expect(grid.live).to_contain_text("4 cells copied")
    copied = grid.page.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines() == ["10000\tCompany 0", "10001\tCompany 1"]

    grid.focus(10, 0)
    grid.press("Control+v")

    assert grid.await_edits() == [
        {"row": 10, "field": "f0", "text": "10000"},
        {"row": 10, "field": "f1", "text": "Company 0"},
        {"row": 11, "field": "f0", "text": "10001"},
        {"row": 11, "field": "f1", "text": "Company 1"},
    ]


def test_quoted_texts_are_pasted_whole(grid: Grid) -> None:
    grid.focus(0, 1)
    text = '"two\nlines"\t"a ""quote"""\r\n'
    grid.page.evaluate("text => navigator.clipboard.writeText(text)", text)

    grid.press("Control+v")

    assert [edit["text"] for edit in grid.await_edits()] == ["two\nlines", 'a "quote"']


def test_one_text_fills_the_range_that_is_selected(grid: Grid) -> None:
    grid.page.evaluate("navigator.clipboard.writeText('same')")
    grid.focus(0, 6)
    grid.press("Shift+ArrowDown", "Shift+ArrowDown", "Control+v")

    assert [edit["row"] for edit in grid.await_edits()] == [0, 1, 2]


def test_what_does_not_fit_is_said(grid: Grid) -> None:
    grid.page.evaluate("navigator.clipboard.writeText('a\\nb\\nc')")
    grid.focus(MILLION - 2, 1)

    grid.press("Control+v")

    assert len(grid.await_edits()) == 2
    expect(grid.live).to_contain_text("1 values did not fit")


def test_rows_that_were_not_fetched_yet_are_copied_too(grid: Grid) -> None:
    grid.focus(0, 0)
    grid.page.evaluate("grid.focusCell(0, 0)")
    grid.press(*["Shift+PageDown"] * 20)

    grid.press("Control+c")

    expect(grid.live).to_contain_text("cells copied")
    copied = grid.page.evaluate("navigator.clipboard.readText()").splitlines()
    assert copied[0] == "10000"
    assert len(copied) > 200
    assert copied == [str(10_000 + row) for row in range(len(copied))]


def test_too_many_cells_at_once_are_refused_with_the_number(grid: Grid) -> None:
    grid.focus(0, 0)

    grid.press("Control+a", "Delete")

    expect(grid.live).to_contain_text("at most 10,000 cells")
    assert grid.edits() == []


def test_cut_clears_what_it_copied(grid: Grid) -> None:
    grid.focus(0, 1)

    grid.press("Control+x")

    assert grid.await_edits() == [{"row": 0, "field": "f1", "text": None}]
    assert grid.page.evaluate("navigator.clipboard.readText()") == "Company 0"


def test_delete_empties_the_range_and_fill_down_repeats_its_first_row(grid: Grid) -> None:
    grid.focus(0, 1)
    grid.press("Shift+ArrowDown", "Delete")
    assert [edit["text"] for edit in grid.await_edits()] == [None, None]

    grid.focus(10, 1)
    grid.press("Shift+ArrowDown", "Shift+ArrowDown", "Control+d")

    assert grid.await_edits(2) == [
        {"row": 11, "field": "f1", "text": "Company 10"},
        {"row": 12, "field": "f1", "text": "Company 10"},
    ]


def test_undo_redo_and_find_are_the_page_s(grid: Grid) -> None:
    grid.focus(0, 0)

    grid.press("Control+z", "Control+y", "Control+Shift+Z", "Control+f")

    assert len(grid.events("grid-undo")) == 1
    assert len(grid.events("grid-redo")) == 2
    assert len(grid.events("grid-find")) == 1


def test_f8_leads_from_error_to_error_and_says_what_is_wrong(grid: Grid) -> None:
    grid.focus(0, 0)

    grid.press("F8")
    wrong = grid.cell(ERROR_EVERY - 1, 4)
    expect(wrong).to_be_focused()
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(wrong).to_have_accessible_description(re.compile("neither day/month nor month/day"))
    expect(grid.live).to_contain_text("neither day/month")
    expect(grid.page.locator(".bubble")).to_be_visible()

    grid.press("F8")
    expect(grid.cell(2 * ERROR_EVERY - 1, 4)).to_be_focused()
    grid.press("Shift+F8")
    expect(wrong).to_be_focused()


def test_a_wrong_cell_is_corrected_next_to_what_is_wrong(grid: Grid) -> None:
    grid.focus(ERROR_EVERY - 1, 4)
    grid.press("Enter")
    editor = grid.page.get_by_role("dialog")
    expect(editor).to_contain_text("neither day/month nor month/day")
    expect(grid.editor).to_have_accessible_description(re.compile("neither"))

    grid.page.keyboard.type("2021-03-14")
    editor.get_by_role("button", name="Save").click()

    assert grid.await_edits()[0]["text"] == "2021-03-14"
    corrected = grid.cell(ERROR_EVERY - 1, 4)
    expect(corrected).to_be_focused()
    expect(corrected).not_to_have_attribute("aria-invalid", "true")


def test_a_row_can_be_left_out_where_it_is_wrong(grid: Grid) -> None:
    grid.focus(ERROR_EVERY - 1, 4)
    grid.press("Enter")

    grid.page.get_by_role("button", name="Exclude row").click()

    assert grid.events("grid-exclude") == [{"rows": [ERROR_EVERY - 1], "isBack": False}]
    expect(grid.page.get_by_role("rowheader", name="8, excluded")).to_have_count(0)


def test_a_mouse_draws_a_range_also_beyond_the_edge(grid: Grid) -> None:
    grid.cell(1, 1).hover()
    grid.page.mouse.down()
    grid.cell(4, 2).hover()
    expect(grid.live).to_contain_text("4 rows by 2 columns")

    box = box_of(grid.root)
    grid.page.mouse.move(box["x"] + 200, box["y"] + box["height"] + 60)
    expect(grid.cell(1, 1)).not_to_be_attached()  # its exact offset varies
    grid.page.mouse.up()

    assert grid.events("grid-select")[-1]["cells"] > 8


def test_shift_and_a_click_select_to_there(grid: Grid) -> None:
    grid.cell(1, 1).click()

    grid.cell(3, 3).click(modifiers=["Shift"])

    expect(grid.cell(2, 2)).to_have_attribute("aria-selected", "true")
    expect(grid.cell(4, 2)).to_have_attribute("aria-selected", "false")
    assert grid.events("grid-select")[-1]["cells"] == 9


def test_headers_select_rows_and_columns(grid: Grid) -> None:
    grid.page.get_by_role("rowheader", name="3", exact=True).click()
    assert grid.events("grid-select")[-1]["cells"] == 20

    grid.page.get_by_role("columnheader", name="VAT ID").click()
    assert grid.events("grid-select")[-1]["cells"] == MILLION


def test_columns_are_resized_by_mouse_and_by_keyboard(grid: Grid) -> None:
    header = grid.page.get_by_role("columnheader", name="Company name")
    before = box_of(header)["width"]
    handle = box_of(header.locator(".handle"))

    grid.page.mouse.move(handle["x"] + 4, handle["y"] + 10)
    grid.page.mouse.down()
    grid.page.mouse.move(handle["x"] + 64, handle["y"] + 10, steps=4)
    grid.page.mouse.up()
    drawn = box_of(header)["width"]
    assert round(drawn - before) == 60

    grid.focus(0, 1)
    grid.press("ArrowUp", "Shift+ArrowLeft", "Shift+ArrowLeft")
    expect(header).to_be_focused()
    assert round(drawn - box_of(header)["width"]) == 32

    header.locator(".handle").dblclick()
    assert box_of(header)["width"] == before


def test_a_finger_taps_to_focus_and_draws_by_a_grip(open_grid: Open) -> None:
    grid = open_grid(context={"has_touch": True, "viewport": WIDE})
    grid.cell(2, 1).tap()
    expect(grid.cell(2, 1)).to_be_focused()
    grip = box_of(grid.page.locator(".grip.last"))
    to = box_of(grid.cell(5, 2))

    devtools = grid.page.context.new_cdp_session(grid.page)
    start = {"x": grip["x"] + 22, "y": grip["y"] + 22}
    end = {"x": to["x"] + 20, "y": to["y"] + 10}
    for kind, points in (("Start", [start]), ("Move", [end]), ("End", [])):
        devtools.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})
    expect(grid.cell(5, 2)).to_have_attribute("aria-selected", "true")
    assert grid.events("grid-select")[-1]["cells"] == 8


def test_a_finger_taps_again_to_edit(open_grid: Open) -> None:
    grid = open_grid(context={"has_touch": True, "viewport": WIDE})
    grid.cell(4, 1).tap()
    expect(grid.cell(4, 1)).to_be_focused()

    grid.cell(4, 1).tap()

    expect(grid.editor).to_have_value("Company 4")


def test_a_phone_edits_in_a_sheet_below_the_cell(open_grid: Open) -> None:
    grid = open_grid(context={"viewport": PHONE, "has_touch": True})
    grid.focus(ERROR_EVERY - 1, 4)
    grid.press("Enter")
    sheet = grid.page.get_by_role("dialog")
    expect(sheet).to_contain_text("neither day/month nor month/day")
    expect(sheet).to_contain_text("For example 2021-03-14")

    cell = box_of(grid.cell(ERROR_EVERY - 1, 4))
    assert cell["y"] + cell["height"] <= box_of(sheet)["y"] + 1
    assert round(cell["height"]) == 44
    for button in [*sheet.get_by_role("button").all(), grid.editor]:
        size = box_of(button)
        assert round(min(size["height"], size["width"])) >= 44

    grid.editor.fill("2021-03-14")
    sheet.get_by_role("button", name="Save, go to next error").tap()
    assert grid.await_edits()[0]["row"] == ERROR_EVERY - 1
    expect(sheet).to_contain_text(f"Row {2 * ERROR_EVERY}")


def test_lines_from_right_to_left_mirror_the_grid_and_its_arrows(open_grid: Open) -> None:
    grid = open_grid(dir="rtl")
    grid.focus(0, 0)
    assert box_of(grid.cell(0, 1))["x"] < box_of(grid.cell(0, 0))["x"]

    grid.press("ArrowLeft")
    expect(grid.cell(0, 1)).to_be_focused()
    grid.press("End")
    expect(grid.cell(0, 19)).to_be_focused()
    expect(grid.cell(0, 19)).to_be_in_viewport()
    grid.press("Home")
    expect(grid.cell(0, 0)).to_be_focused()


def test_markup_in_a_cell_is_text(grid: Grid) -> None:
    expect(grid.cell(3, 1)).to_have_text('<img src=x onerror="alert(1)">')

    assert grid.page.evaluate("grid.shadowRoot.querySelectorAll('img').length") == 0


def test_rows_left_out_are_named_so(grid: Grid) -> None:
    expect(grid.page.get_by_role("rowheader", name="8, excluded")).to_be_visible()


def test_a_view_without_rows_says_so_and_has_a_header(open_grid: Open) -> None:
    grid = open_grid(rows=0)

    expect(grid.root.get_by_text("No rows to show").first).to_be_visible()
    grid.press("Tab", "Tab", "ArrowDown")
    expect(grid.page.get_by_role("columnheader", name="Customer number")).to_be_focused()


def test_a_new_source_begins_at_its_top_and_says_how_many_rows_there_are(grid: Grid) -> None:
    grid.focus(900_000, 3)

    grid.page.evaluate("grid.source = {...grid.source}; grid.rowCount = 5000")

    expect(grid.live).to_contain_text("5,000 rows loaded")
    expect(grid.cell(0, 0)).to_have_text("10000")
    assert grid.first_shown() == 0


def test_marks_of_errors_are_seen_in_forced_colours_and_nothing_moves_without_motion(
    open_grid: Open,
) -> None:
    calm = {"forced_colors": "active", "reduced_motion": "reduce", "viewport": PHONE}
    grid = open_grid(context=calm)
    grid.focus(ERROR_EVERY - 1, 4)
    mark = "getComputedStyle(grid.shadowRoot.activeElement, '::after').backgroundColor"
    assert grid.page.evaluate(mark) not in {"rgba(0, 0, 0, 0)", "rgb(255, 255, 255)"}

    grid.press("Enter")

    sheet = grid.page.get_by_role("dialog")
    assert sheet.evaluate("sheet => getComputedStyle(sheet).animationName") == "none"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_axe_finds_nothing_in_any_state(open_grid: Open, theme: str, viewport: Any) -> None:
    # A sheet that is still fading in has too little contrast.
    grid = open_grid(context={"viewport": viewport, "reduced_motion": "reduce"}, theme=theme)
    axe = (FRONTEND / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
    grid.page.evaluate(axe)
    violations = []
    states: list[Callable[[], object]] = [
        lambda: grid.focus(0, 0),
        lambda: grid.press("Shift+ArrowDown", "Shift+ArrowRight"),
        lambda: grid.focus(ERROR_EVERY - 1, 4),
        lambda: grid.press("Enter"),
        lambda: (grid.press("Escape"), grid.focus(0, 1), grid.press("Enter")),
    ]
    for reach in states:
        reach()
        violations += grid.page.evaluate("axe.run().then(said => said.violations)")

    assert not violations, {each["id"]: each["nodes"][0]["html"] for each in violations}

"""What is left to decide is one list, led to by one button, and nothing moves under the pointer."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.walks.screens import DAYS, HEAD, file_of
from tests.web.walks.test_accessibility import violations
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

PLACES = """() => {
  const root = document.querySelector('service-import').shadowRoot
  const fixed = '.toolbar :is(button, input), .answer, .footer button, si-review-grid'
  const at = [...root.querySelectorAll(fixed)].filter(each => each.checkVisibility())
  return at.map(each => {
    const {left, top} = each.getBoundingClientRect()
    return [each.textContent.trim() || each.localName, Math.round(left), Math.round(top)]
  })
}"""
UNSEEN = 0.001  # a layout shift that rounds to 0.00
SHIFTS = """() => {
  window.shifted = []
  const hear = list => list.getEntries().filter(one => !one.hadRecentInput)
    .forEach(one => shifted.push(one.value))
  new PerformanceObserver(hear).observe({type: 'layout-shift'})
}"""


def in_review(open_widget: Callable[..., Widget], text: str, scope: str) -> Widget:
    """Come to the review of a file."""
    widget = open_widget(session={"catalogKey": "orders", "scope": scope})
    widget.choose(file_of(text))
    widget.go_to("review")
    widget.element.get_by_role("gridcell").first.wait_for()
    widget.until(lambda: not widget.element.locator(".busy").count(), "nothing is on its way")
    return widget


def test_a_question_is_led_to_answered_by_digits_and_undone_by_name(
    open_widget: Callable[..., Widget],
) -> None:
    widget = in_review(open_widget, DAYS, "digits")
    shown = widget.element
    shown.get_by_role("heading", name="1 decision left for 3 clean rows").wait_for()
    assert shown.get_by_role("button", name=re.compile("^Import")).count() == 0
    widget.evaluate(SHIFTS)

    widget.button("Answer 1 question").click()
    widget.until(lambda: "Day first" in widget.focused(), "the first answer has the focus")
    assert shown.get_by_text(re.compile("12/04/2026 → .*April")).count() == 1
    assert shown.get_by_text(re.compile("12/04/2026 → .*December")).count() == 1
    before: Any = widget.evaluate(PLACES)
    widget.page.keyboard.press("2")
    shown.get_by_text("1 row becomes invalid").wait_for()

    assert widget.evaluate(PLACES) == before
    assert sum(widget.evaluate("() => window.shifted")) < UNSEEN
    widget.page.keyboard.press("2")
    footer = shown.locator("[part~=footer]")
    footer.get_by_text("Ordered on: Month first").wait_for()
    assert violations(widget) == []
    footer.get_by_role("button", name="Undo").click()
    widget.button("Answer 1 question").wait_for()


def test_f8_leads_to_the_first_question_where_no_error_is_left(
    open_widget: Callable[..., Widget],
) -> None:
    days = HEAD + "".join(f"A-{n},Ada,{n:02}/02/2026,LX,2,19.90,open\n" for n in range(1, 4))
    widget = in_review(open_widget, days, "no errors")
    widget.element.get_by_role("gridcell", name="A-3").click()

    widget.page.keyboard.press("F8")

    widget.until(lambda: "Day first" in widget.focused(), "the first answer has the focus")


def test_f8_leads_to_the_warnings_where_nothing_else_is_left(
    open_widget: Callable[..., Widget],
) -> None:
    states = ("open", "canceled", "canceled")
    text = HEAD + "".join(f"A-{n},Ada,2026-02-03,LX,2,19.90,{s}\n" for n, s in enumerate(states))
    widget = in_review(open_widget, text, "only warnings")
    shown = widget.element
    opened = shown.locator("aside .current")
    shown.get_by_role("gridcell", name="A-1").click()

    widget.page.keyboard.press("F8")

    opened.get_by_text(re.compile("canceled → Cancelled")).wait_for()
    assert violations(widget) == []


def test_an_answer_leads_to_the_next_question_where_the_list_covers_the_rows(
    open_widget: Callable[..., Widget],
) -> None:
    states = ("waiting", "asleep")
    text = HEAD + "".join(f"A-{s},Ada,2026-02-03,LX,2,19.90,{s}\n" for s in (*states, "open"))
    widget = in_review(open_widget, text, "next question")
    widget.page.set_viewport_size({"width": 820, "height": 860})
    shown = widget.element
    widget.button("Answer 2 questions").click()
    widget.until(lambda: widget.focused().startswith("1"), "the first answer has the focus")

    widget.page.keyboard.press("1")
    shown.locator(".does").wait_for()
    widget.page.keyboard.press("1")

    shown.get_by_text("1 of 1").wait_for()
    widget.until(lambda: widget.focused().startswith("1"), "the next question has the focus")
    shown.locator("[part~=footer]").get_by_text(re.compile("^Status: ")).wait_for()
    assert violations(widget) == []


def test_escape_in_a_menu_of_the_grid_returns_to_its_cell(
    open_widget: Callable[..., Widget],
) -> None:
    widget = in_review(open_widget, HEAD + "A-1,Ada,2026-02-03,LX,2,19.90,open\n", "menus")
    shown, keys = widget.element, widget.page.keyboard

    shown.get_by_role("columnheader", name=re.compile("^Quantity")).click(button="right")
    widget.until(lambda: widget.focused() == "Sort ascending", "the menu has the focus")
    keys.press("Escape")
    widget.until(lambda: widget.focused().startswith("Quantity"), "the header has it")
    shown.get_by_role("rowheader", name="1").click(button="right")
    widget.until(lambda: widget.focused() == "Exclude row", "the row's menu has the focus")
    assert shown.get_by_role("button", name="Restore row").count() == 0
    keys.press("Enter")

    shown.get_by_role("button", name="Excluded 1").wait_for()
    widget.until(lambda: widget.focused() == "A-1", "the row has the focus")


def test_rows_are_sorted_and_filtered_from_the_header(open_widget: Callable[..., Widget]) -> None:
    rows = [("B", "2"), ("C", "many"), ("A", "2")]
    text = HEAD + "".join(f"{n},Ada,2026-02-03,LX,{q},19.90,open\n" for n, q in rows)
    widget = in_review(open_widget, text, "sorted")
    cells = widget.element.locator('[role=gridcell][aria-colindex="2"]')
    before = widget.evaluate(PLACES)
    head = widget.element.get_by_role("columnheader", name=re.compile("^Order number"))

    head.hover()
    head.locator(".more").click()
    widget.button("Sort ascending").click()
    widget.until(lambda: cells.all_text_contents() == ["A", "B", "C"], "the rows are sorted")
    assert head.get_attribute("aria-sort") == "ascending"
    assert violations(widget) == []
    head.click(button="right")
    widget.button("Sort descending").click()
    widget.until(lambda: cells.all_text_contents() == ["C", "B", "A"], "the other way round")
    quantity = widget.element.get_by_role("columnheader", name=re.compile("^Quantity"))
    quantity.click(button="right")
    widget.button("Only rows with errors here").click()
    widget.until(lambda: cells.all_text_contents() == ["C"], "one row is wrong")
    widget.button("Show all rows").click()

    widget.until(lambda: cells.all_text_contents() == ["B", "C", "A"], "all are shown")
    assert [place for place in widget.evaluate(PLACES) if place in before] == before


def test_a_guess_is_shown_with_the_text_of_the_file_and_accepted(
    open_widget: Callable[..., Widget],
) -> None:
    text = HEAD + "".join(f"A-{n},Ada,2026-02-03,LX,2,19.90,canceled\n" for n in range(3))
    widget = in_review(open_widget, text, "guessed")
    shown = widget.element

    shown.get_by_role("button", name=re.compile("^Status.*closest option")).click()
    shown.get_by_text(re.compile("canceled → Cancelled, 3 rows")).wait_for()
    widget.button("Accept").click()

    widget.button("Import all 3 rows").wait_for()
    widget.until(lambda: shown.get_by_text("canceled").count() == 0, "nothing is guessed")
    assert shown.locator("aside").count() == 0


def test_the_row_of_names_is_asked_for_once_and_chosen_among_the_rows(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "names"})
    widget.choose(file_of("Ada,Berlin,red\nBob,Bonn,blue\nCyd,Ulm,green\nDee,Mainz,white\n"))
    questions = widget.element.get_by_text("Which row contains the column names?")
    questions.wait_for()

    assert questions.count() == 1
    assert widget.element.get_by_text("Question", exact=True).count() == 1
    widget.element.get_by_role("radio").nth(1).check()
    widget.button("Use row 2 as header").click()
    widget.element.get_by_text("Its columns are Bob, Bonn").wait_for()

"""The page of a PDF next to its rows: a person moves a column line and sees the rows change."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator

from tests.web.walks.engine import Engine
from tests.web.walks.test_accessibility import violations
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web
POLICY = (
    "default-src 'none'; script-src 'self' {origin}; style-src 'self'; "
    "connect-src 'self' {origin}; require-trusted-types-for 'script'; trusted-types lit-html"
)
INK = """canvas => {
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  return data.filter((value, at) => at % 4 === 0 && value < 100).length
}"""


CELLS = """rows => rows.map(row =>
  [...row.querySelectorAll('td')].slice(1).map(cell => cell.textContent))"""


def with_page(open_widget: Callable[..., Widget], **about: object) -> tuple[Widget, Locator]:
    """Open the first page of a price list next to its rows."""
    widget = open_widget(session={"catalogKey": "prices"}, show_all_steps="", **about)
    widget.choose("price-list.pdf")
    widget.go_to("table")
    widget.button("Compare with the page").click()
    shown = widget.element.get_by_role("region", name="Compare with the page")
    shown.wait_for()
    return widget, shown


def rows_of(shown: Locator) -> list[list[str]]:
    """Return the rows of the page as they are read, without their numbers, at one moment."""
    rows = shown.get_by_role("region", name="Rows of this page").locator("tr")
    read: list[list[str]] = rows.evaluate_all(CELLS)
    return read


def test_a_page_is_shown_with_its_rows_under_a_strict_policy(
    open_widget: Callable[..., Widget], engine: Engine
) -> None:
    widget, shown = with_page(open_widget, csp=POLICY.format(origin=engine.origin))
    canvas = shown.locator("canvas")

    widget.until(lambda: canvas.evaluate(INK) > 1_000, "the page is painted")
    assert len(rows_of(shown)) > 5
    assert shown.locator("rect").count() >= len(rows_of(shown))


def test_a_column_line_that_is_moved_changes_the_rows(open_widget: Callable[..., Widget]) -> None:
    widget, shown = with_page(open_widget)
    before = rows_of(shown)
    assert violations(widget) == []
    line = shown.get_by_role("slider", name="Column line 1")
    again = widget.button("Read again")
    assert again.is_disabled()

    at = line.bounding_box()
    right = shown.get_by_role("slider", name="Column line 2").bounding_box()
    assert at is not None
    assert right is not None
    line.scroll_into_view_if_needed()
    line.locator(".hit").hover(position={"x": 5, "y": 40}, force=True)
    widget.page.mouse.down()
    widget.page.mouse.move((at["x"] + right["x"]) / 2, at["y"] + 60, steps=5)
    widget.page.mouse.up()
    again.click()

    latest: list[list[str]] = []

    def are_others() -> bool:
        latest[:] = rows_of(shown)
        return latest not in ([], before)

    widget.until(are_others, "other rows are read")
    assert [len(row) for row in latest] == [len(row) for row in before]
    assert "".join(latest[0]).replace(" ", "") == "".join(before[0]).replace(" ", "")


def test_a_column_line_goes_with_a_key_and_comes_back(open_widget: Callable[..., Widget]) -> None:
    widget, shown = with_page(open_widget)
    before = rows_of(shown)

    shown.get_by_role("slider", name="Column line 1").focus()
    widget.page.keyboard.press("Delete")
    widget.button("Read again").click()

    widget.until(lambda: len((rows_of(shown) or before)[0]) < len(before[0]), "a column is gone")
    assert rows_of(shown)[0][0] == f"{before[0][0]} {before[0][1]}"


def test_a_frame_that_ends_higher_leaves_rows_out(open_widget: Callable[..., Widget]) -> None:
    widget, shown = with_page(open_widget)
    before = len(rows_of(shown))

    shown.get_by_role("slider", name="Bottom of the table").focus()
    for _ in range(4):
        widget.page.keyboard.press("Shift+ArrowUp")
    widget.button("Read again").click()

    widget.until(lambda: 0 < len(rows_of(shown)) < before, "fewer rows are read")


def test_a_person_without_the_right_to_leave_rows_out_only_compares(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "prices", "invalidRows": []}, show_all_steps="")
    widget.choose("price-list.pdf")
    widget.go_to("table")
    widget.button("Compare with the page").click()
    shown = widget.element.get_by_role("region", name="Compare with the page")
    shown.wait_for()

    assert shown.get_by_role("slider").count() == 0
    assert widget.button("Read again").count() == 0

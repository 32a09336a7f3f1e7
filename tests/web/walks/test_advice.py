"""The page helps with the review: its notes and its values are marked, and never more than that."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator

from tests.web.walks.engine import ROOT, Engine
from tests.web.walks.hosts import Host
from tests.web.walks.test_accessibility import violations
from tests.web.walks.test_modes import SET
from tests.web.walks.test_pages import orders
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

PROPOSES = """{onRows: rows => ({proposals: rows.filter(row => row.row < 2).map(({row}) => (
  {row, field: 'orders.remark', value: `checked ${row}`, reason: 'From our list'}
))})}"""
FAILED = "This page couldn’t check the rows. Nothing was changed."
FAILING = {
    "threw": "() => { throw new Error('full') }",
    "nothing": "() => undefined",
    "other_rows": "() => ({proposals: [{row: 99, field: 'orders.remark', value: 'x'}]})",
    "too_large": (
        "() => ({proposals: [{row: 0, field: 'orders.remark', value: 'x'.repeat(1e7)}]})"
    ),
    "not_understood": "() => [{row: 0, field: 'orders.remark', value: 'x'}]",
    "timed_out": "() => new Promise(() => {})",
}


@pytest.fixture
def review(open_widget: Callable[..., Widget]) -> Callable[..., Widget]:
    """Return a function that opens a review on a page with such an `onRows`."""

    def open_one(on_rows: str, *, early: bool = True, **about: Any) -> Widget:
        session = {"catalogKey": "orders", **about.pop("session", {})}
        widget = open_widget(session=session, **about)
        if early:
            widget.page.evaluate(SET, on_rows)
        widget.choose(orders())
        widget.go_to("review")
        widget.element.get_by_role("gridcell", name="A-1", exact=True).wait_for()
        if not early:
            widget.page.evaluate(SET, on_rows)
        return widget

    return open_one


def cell(widget: Widget, text: str) -> Locator:
    return widget.element.get_by_role("gridcell", name=text, exact=True)


def described(of: Locator) -> str:
    """Return what a screen reader says of a cell besides its text."""
    message: str = of.evaluate(
        "e => e.getRootNode().getElementById(e.getAttribute('aria-describedby'))?.textContent ?? ''"
    )
    return message


def rows_of(engine: Engine) -> list[dict[str, Any]]:
    """Return the rows of the last import, as the engine has them."""
    (record,) = engine.call("GET", "imports?limit=1").json()["items"]
    url = f"imports/{record['recordId']}/rows/query"
    rows: list[dict[str, Any]] = engine.call("POST", url, json={}).json()["rows"]
    return rows


@pytest.mark.parametrize("early", [True, False])
def test_what_the_page_proposes_is_filled_in_marked_and_undone_by_its_name(
    early: bool, review: Callable[..., Widget], engine: Engine
) -> None:
    widget = review(PROPOSES, early=early)
    widget.element.get_by_text("This page filled in 2 values.").wait_for()

    cell(widget, "checked 1").wait_for()
    assert described(cell(widget, "checked 0")) == "Proposed by this page: From our list"
    assert violations(widget) == []
    assert [row["values"]["orders.remark"] for row in rows_of(engine)][:2] == [
        "checked 0",
        "checked 1",
    ]

    widget.button("Undo what this page filled in").click()

    widget.until(lambda: cell(widget, "checked 0").count() == 0, "the values are gone")
    assert not any(
        (row["values"]["orders.remark"] or "").startswith("c") for row in rows_of(engine)
    )
    assert widget.heard("import-error") == []


def test_what_a_person_undid_is_not_proposed_again_with_their_next_edit(
    review: Callable[..., Widget],
) -> None:
    widget = review(PROPOSES)
    widget.button("Undo what this page filled in").click()
    widget.until(lambda: cell(widget, "checked 0").count() == 0, "the values are gone")

    cell(widget, "A-1").dblclick()
    widget.page.keyboard.press("Control+A")
    widget.page.keyboard.type("A-7")
    widget.page.keyboard.press("Enter")

    cell(widget, "A-7").wait_for()
    widget.element.get_by_text("Saved").first.wait_for()
    assert cell(widget, "checked 0").count() == cell(widget, "checked 1").count() == 0


def test_what_the_catalog_does_not_take_is_named_and_the_page_hears_of_it(
    review: Callable[..., Widget],
) -> None:
    widget = review("""{onRows: () => ({proposals: [
      {row: 0, field: 'orders.email', value: 'nobody'},
      {row: 1, field: 'orders.remark', value: 'fits'},
    ]})}""")

    cell(widget, "fits").wait_for()
    line = widget.element.get_by_text("1 value from this page doesn’t fit and was left out")
    assert "(1)" in line.inner_text()
    (event,) = widget.heard("import-rows-refused")
    assert event["refused"] == [{"row": 0, "field": "orders.email", "code": "not_an_email"}]


def test_a_finding_is_a_mark_and_a_sentence_and_goes_nowhere_else(
    review: Callable[..., Widget], engine: Engine
) -> None:
    widget = review("""{onRows: rows => ({findings: [
      {row: 1, field: 'orders.order_number', message: 'We know this order.', severity: 'error'},
    ]})}""")
    noted = cell(widget, "A-1")
    widget.until(lambda: described(noted), "the mark is there")

    assert described(noted) == "Error from this page: We know this order."
    noted.click()
    widget.element.get_by_text("We know this order.").last.wait_for()
    assert violations(widget) == []
    assert [row["issues"] for row in rows_of(engine)] == [[], [], []]
    widget.import_all()
    widget.wait_for_applied()


def test_the_page_sees_frozen_rows_and_after_an_edit_the_row_that_changed(
    review: Callable[..., Widget],
) -> None:
    widget = review("""{onRows: rows => {
      window.seen = [...window.seen ?? [], rows.map(row => row.values['orders.order_number'])]
      window.isFrozen = [rows, rows[0], rows[0].values].every(Object.isFrozen)
      return {}
    }}""")
    widget.until(lambda: widget.evaluate("() => window.seen"), "the page has seen the rows")

    cell(widget, "A-1").dblclick()
    widget.page.keyboard.press("Control+A")
    widget.page.keyboard.type("A-8")
    widget.page.keyboard.press("Enter")
    widget.until(lambda: widget.evaluate("() => window.seen.length > 1"), "it saw the edit")

    assert widget.evaluate("() => window.seen") == [["A-0", "A-1", "A-2"], ["A-8"]]
    assert widget.evaluate("() => window.isFrozen") is True


@pytest.mark.parametrize("reason", FAILING)
def test_a_function_that_fails_changes_nothing_and_says_so_once(
    reason: str, review: Callable[..., Widget], engine: Engine
) -> None:
    widget = review(f"{{onRows: {FAILING[reason]}}}", early=False)
    warned: list[str] = []
    widget.page.on("console", lambda m: warned.append(m.text) if m.type == "warning" else None)

    widget.element.get_by_text(FAILED).wait_for()
    assert [item["reason"] for item in widget.heard("import-rows-failed")] == [reason]
    assert {row["values"]["orders.remark"] for row in rows_of(engine)} <= {None, ""}
    widget.button("Close").last.click()
    assert widget.element.get_by_text(FAILED).count() == 0
    widget.import_all()
    assert widget.wait_for_applied()["rowCount"] == 3
    assert all("onRows changed nothing" in text for text in warned)


def test_nothing_is_loaded_for_a_page_without_the_function(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders"})
    loaded: list[str] = []
    widget.page.on("request", lambda request: loaded.append(request.url))
    widget.choose(orders())
    widget.go_to("review")
    cell(widget, "A-1").wait_for()
    assert not [url for url in loaded if "advising" in url]

    widget.page.evaluate(SET, PROPOSES)
    cell(widget, "checked 0").wait_for()
    assert [url for url in loaded if "advising" in url]


def test_the_page_of_the_example_fills_in_prices_and_notes_other_ones(
    open_widget: Callable[..., Widget], host: Host
) -> None:
    script = (ROOT / "examples" / "advising_page" / "advising.js").read_text("utf-8")
    host.put("/advising.js", script, "text/javascript")
    widget = open_widget(session={"catalogKey": "orders"})
    widget.evaluate("""async () => {
      const {onRows} = await import('/advising.js')
      document.querySelector('service-import').onRows = onRows
    }""")
    file = orders()
    text = file["buffer"].decode().replace("19.90", "", 1).replace("19.90", "21.00", 1)
    widget.choose({**file, "buffer": text.encode()})
    widget.go_to("review")

    widget.element.get_by_text("This page filled in 1 value.").wait_for()
    filled = cell(widget, "19.9").first
    widget.until(lambda: described(filled), "the value is marked")
    assert described(filled) == "Proposed by this page: From our price list"
    assert described(cell(widget, "21")) == "Warning from this page: Our price is 19.9."

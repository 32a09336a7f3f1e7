"""The preview of an answer is shown before the answer is given, applied, and undone."""

from collections.abc import Callable

import pytest

from tests.web.walks.engine import Engine
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web
DAYS = ["01/02/2024", "03/04/2024", "12/25/2024", "25/12/2024", "05/05/2024"]
ORDERS = "Order number,Customer,Ordered on,Article,Quantity,Unit price,Status\n" + "".join(
    f"A-{n},Ada {n},{day},Lamp,2,3.50,open\n" for n, day in enumerate(DAYS)
)
UNKNOWN = ORDERS.replace("Lamp,2,3.50,open", "Lamp,2,3.50,waiting", 2)
ASK = """
from common import clock
from feeds.applying.asking import ask_about
from feeds.drift.finding import Finding
from feeds.drift.reasons import reason_of
from imports.models import ImportRecord
fewer = Finding("rows_fewer", before={"rows": 100}, after={"rows": 5})
record = ImportRecord.objects.filter(scope="drift").latest("pk")
ask_about(record, [reason_of(fewer)], at=clock.now())
"""
BROKEN = {"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7\nnothing"}


def csv(text: str) -> dict:
    return {"name": "orders.csv", "mimeType": "text/csv", "buffer": text.encode()}


def come_to_values(widget: Widget) -> None:
    """Choose a file with a text that matches no option, and go to its question."""
    widget.choose(csv(UNKNOWN))
    widget.element.get_by_text("waiting", exact=True).wait_for()


def try_an_answer(widget: Widget) -> None:
    """Go to the review, and preview an answer."""
    widget.primary.first.click()
    widget.go_to("review")
    widget.element.get_by_role("button", name="Month first").first.click()
    widget.element.get_by_text("1 row becomes invalid").wait_for()


def test_an_answer_is_seen_in_the_grid_before_it_is_taken_and_one_undo_takes_it_back(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "days"})
    widget.choose(csv(ORDERS))
    widget.go_to("review")
    answer = widget.element.get_by_role("button", name="Month first")
    answer.first.wait_for()
    cells = widget.element.locator("[role=gridcell]")

    answer.first.click()

    widget.element.get_by_text("1 row becomes invalid").wait_for()
    assert widget.element.get_by_text("1 row fixed").is_visible()
    assert widget.element.get_by_text("Changes 2 more").is_visible()
    widget.until(
        lambda: "changed from Feb 1, 2024" in cells.all_text_contents(), "the grid shows the rows"
    )
    take = widget.element.get_by_role("button", name="Use “Month first")
    take.click()
    widget.until(lambda: answer.count() == 0, "the question is answered")

    undo = widget.button("Undo").first
    widget.until(undo.is_enabled, "undo can be pressed")
    undo.click()

    widget.until(lambda: answer.count() > 0, "it is asked again")


def test_what_is_not_usual_about_a_file_is_answered_with_the_mouse(
    open_widget: Callable[..., Widget], engine: Engine
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "drift"})
    widget.choose(csv(ORDERS))
    widget.go_to("review")
    day_first = widget.element.get_by_role("button", name="Day first")
    day_first.first.wait_for()
    engine.manage("shell", "--no-imports", "-c", ASK)
    day_first.first.click()
    widget.element.get_by_role("button", name="Use “Day first").click()
    finding = widget.element.get_by_text("Fewer rows than usual: 5. Usual: 100.")
    finding.wait_for()
    assert finding.count() == 1
    assert widget.element.get_by_role("button", name="Keep as it is").count() == 0

    widget.element.get_by_role("button", name="This is right").click()
    widget.element.get_by_role("button", name="Use “This is right").click()

    widget.until(lambda: finding.count() == 0, "the question is answered")


def test_a_suggested_meaning_is_counted_and_leaves_the_focus_on_its_row(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "meanings"})
    widget.choose(csv(UNKNOWN.replace("waiting", "payed", 1)))
    shown = widget.element
    shown.get_by_text("2 open").wait_for()

    shown.get_by_role("button", name="Use Paid").press("Enter")

    shown.get_by_text("1 open").wait_for()
    assert "payed" in widget.focused()


def test_required_fields_without_a_column_are_asked_about_in_one_line(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "missing"})
    widget.choose(csv("Customer,Quantity\nAda,2\nBob,3\nCyd,4\n"))
    widget.go_to("columns")

    widget.primary.first.click()
    without = widget.button("Continue without")
    without.wait_for()
    assert widget.step == "columns"
    assert widget.element.get_by_text("are unmapped; every row").first.is_visible()
    without.click()

    widget.go_to("review")

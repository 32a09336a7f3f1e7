"""A file that cannot become rows of this catalog gets a screen that says so, and what to do."""

import re
from collections.abc import Callable

import pytest

from tests.web.walks.test_accessibility import violations
from tests.web.walks.test_answers import csv
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

HEAD = "Order number,Customer,Ordered on,Article,Quantity,Unit price,Status\n"
STAFF = "Employee,Birthday,Salary,Department,Manager,Desk,Phone,Badge\n"
STAFF += "".join(
    f"Ann {n},1990-02-0{n},{n}000,Sales,Bob,{n}A,+49 30 123{n},{n}{n}\n" for n in range(1, 9)
)
UNTOLD = "Order number,Customer,Ordered on,Article,Quantity,Unit price\n"
UNTOLD += "".join(f"B-{n},Bob,2026-02-03,LX-100,2,19.90\n" for n in range(3))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (HEAD, "This file has no rows."),
        ("", "This file is empty."),
        ("\n\n\n", "This file cannot be imported."),
        ("Dear reader,\nthis is a letter.\n\nRegards\n", "This file does not look like Orders."),
        (STAFF, "This file does not look like Orders."),
    ],
    ids=["only a header", "no bytes", "blank lines", "a letter", "another catalog"],
)
def test_a_wrong_file_is_named_and_nothing_is_offered_for_import(
    text: str, title: str, open_widget: Callable[..., Widget]
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "wrong"})

    widget.choose(csv(text))

    widget.element.get_by_text(title).wait_for()
    assert widget.element.get_by_role("button", name=re.compile("^Import ")).count() == 0
    assert widget.element.get_by_text("Which column contains it?").count() == 0
    assert violations(widget) == []
    widget.button("Choose another file").click()
    widget.button("Choose file").wait_for()


def test_a_file_that_looks_wrong_can_be_matched_anyway(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "wrong"})
    widget.choose(csv(STAFF))

    widget.button("Match anyway").click()

    widget.heading("Match your columns to our fields").wait_for()
    assert widget.element.get_by_role("listitem").filter(has_text="Employee").count() > 0


def test_a_required_field_without_a_column_takes_the_same_value_for_every_row(
    open_widget: Callable[..., Widget],
) -> None:
    session = {"catalogKey": "orders", "scope": "untold", "applyMode": "browser"}
    widget = open_widget(session=session)
    widget.choose(csv(UNTOLD))
    status = widget.element.get_by_role("combobox", name=re.compile("^Status is required"))
    widget.element.get_by_text("1 question needs your answer.").wait_for()

    status.select_option(label="Set the same value in every row")
    assert widget.element.get_by_text("1 question needs your answer.").count() == 1
    widget.element.get_by_role("combobox", name="Status: Value").select_option(label="Paid")

    widget.element.get_by_text("Required fields are complete.").wait_for()
    assert widget.element.get_by_text("needs your answer").count() == 0
    assert violations(widget) == []
    widget.go_to("review")
    widget.import_all()
    widget.wait_for_applied()
    (given,) = widget.evaluate("() => window.results")
    assert [row["orders.status"] for row in given["rows"]] == ["paid"] * 3


def test_a_required_field_that_is_left_empty_on_purpose_is_not_asked_for_twice(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "left"})
    widget.choose(csv(UNTOLD))
    status = widget.element.get_by_role("combobox", name=re.compile("^Status is required"))

    status.select_option(label="Leave empty")
    widget.button("Continue to review").click()

    widget.until(lambda: widget.step == "review", "the review is there")


def test_a_file_of_another_catalog_is_taken_to_the_one_that_a_person_chooses(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"scope": "another"})
    widget.heading("What do you want to import?").wait_for()
    assert violations(widget) == []
    widget.button("Orders").click()
    widget.choose(csv(STAFF))
    widget.element.get_by_text("This file does not look like Orders.").wait_for()

    widget.button("Choose another catalog").click()
    widget.until(lambda: "What do you want to import?" in widget.focused(), "the question has it")
    widget.button("Stock").click()

    widget.element.get_by_text("This file does not look like Stock.").wait_for()
    widget.button("Choose another file").click()
    widget.button("Choose file").wait_for()

"""A cell with options names them, and offers the nearest first."""

import re
from collections.abc import Callable

import pytest

from tests.web.walks.test_accessibility import violations
from tests.web.walks.test_answers import csv
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

HEAD = "Order number,Customer,Ordered on,Article,Quantity,Unit price,Status\n"
ROW = "A-{n},Ada,2026-02-03,LX-100,2,19.90,{status}\n"
STATUSES = ("opn", "unknown", "unknown", "Open")
FILE = HEAD + "".join(ROW.format(n=n, status=status) for n, status in enumerate(STATUSES))
NAMED = re.compile("Use Open, Paid,? or Cancelled.")


def in_review(open_widget: Callable[..., Widget], **about: object) -> Widget:
    """Come to the review without an answer, so that the texts are errors of their cells."""
    widget = open_widget(session={"catalogKey": "orders", "scope": "options"}, **about)
    widget.choose(csv(FILE))
    widget.go_to("review")
    widget.element.get_by_role("button", name=re.compile("^Next error")).click()
    widget.element.get_by_role("gridcell", name="opn").wait_for()
    return widget


def test_an_option_is_taken_by_keyboard_and_the_message_names_all(
    open_widget: Callable[..., Widget],
) -> None:
    widget = in_review(open_widget)
    widget.element.get_by_role("gridcell", name="opn").click()
    widget.element.locator(".bubble").filter(has_text=NAMED).wait_for(state="attached")

    widget.page.keyboard.press("Enter")
    field = widget.element.get_by_role("textbox", name=re.compile("^Edit Status"))
    field.wait_for()
    options = widget.element.get_by_role("listbox", name=re.compile("^Edit Status"))
    assert options.get_by_role("option").all_text_contents() == ["Open", "Paid", "Cancelled"]
    assert options.get_by_role("option", selected=True).all_text_contents() == ["Open"]
    assert violations(widget) == []
    widget.page.keyboard.press("ArrowDown")
    widget.page.keyboard.press("Enter")

    widget.element.get_by_role("gridcell", name="Paid").wait_for()


def test_a_text_that_means_no_option_is_not_changed_to_one(
    open_widget: Callable[..., Widget],
) -> None:
    widget = in_review(open_widget)
    cell = widget.element.get_by_role("gridcell", name="opn")
    cell.dblclick()

    widget.page.keyboard.type("zzz")
    assert widget.element.get_by_role("option", selected=True).count() == 0
    widget.page.keyboard.press("Enter")

    wrong = widget.element.get_by_role("gridcell", name="zzz")
    wrong.wait_for()
    widget.until(lambda: wrong.get_attribute("aria-invalid") == "true", "it is an error")


def test_an_option_is_pressed_on_a_phone(open_widget: Callable[..., Widget]) -> None:
    widget = in_review(open_widget, browser_about={"viewport": {"width": 390, "height": 800}})
    widget.element.get_by_role("gridcell", name="opn").dblclick()

    widget.element.get_by_role("option", name="Cancelled").click()

    widget.element.get_by_role("gridcell", name="Cancelled").wait_for()


def test_all_cells_of_a_group_are_set_to_one_of_the_options(
    open_widget: Callable[..., Widget],
) -> None:
    widget = in_review(open_widget)
    group = widget.element.locator("section[part=issue]").filter(has_text=NAMED)
    keep, footer = widget.button("Keep as it is"), widget.element.locator("[part~=footer]")
    assert group.count() == 0, "what is asked about is no error besides"
    for left in ("Answer 1 question", "Import"):  # both texts are kept as they are
        keep.first.click()
        footer.get_by_role("button", name=re.compile(f"^{left}")).first.wait_for()
    group.get_by_role("button").first.click()

    field = group.get_by_role("combobox", name="Set all to")
    field.click()
    options = group.get_by_role("listbox", name="Set all to").get_by_role("option")
    assert options.all_text_contents() == ["Open", "Paid", "Cancelled"]  # "opn" is nearest to Open
    assert violations(widget) == []
    widget.page.keyboard.type("pad")
    options.filter(has_text="Open").wait_for(state="detached")
    assert options.all_text_contents() == ["Paid"]
    widget.page.keyboard.press("Enter")
    assert field.input_value() == "Paid"
    group.get_by_role("button", name="Set", exact=True).click()

    widget.until(
        lambda: widget.element.get_by_role("gridcell", name="Paid").count() == 3,
        "the cells read an option",
    )

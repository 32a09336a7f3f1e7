"""The focus never falls to the page: what is done by keyboard is continued by keyboard."""

import re
from collections.abc import Callable

import pytest

from tests.web.walks.test_answers import UNKNOWN, csv
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

LOST = "() => document.activeElement === document.body"
HEAD = "Order number,Customer,Ordered on,Article,Quantity,Unit price,Status\n"
MANY = HEAD + "".join(f"A-{n},Ada,2026-02-03,LX-100,many,19.90,open\n" for n in range(4))
MANY += "A-9,Ada,2026-02-03,LX-100,2,19.90,open\n"


class Keys:
    """A person with a keyboard, and every place where the focus was lost."""

    def __init__(self, widget: Widget) -> None:
        self.widget, self.lost = widget, list[str]()

    def press(self, name: str | re.Pattern[str], role: str = "button") -> None:
        """Focus a control, press Enter, and look where the focus is once all is done."""
        control = self.widget.element.get_by_role(role, name=name).first  # type: ignore[arg-type]  # a name of a role
        self.widget.until(control.is_enabled, f"{name} can be pressed")
        control.focus()
        self.widget.page.keyboard.press("Enter")
        self.settle(str(name))

    def settle(self, name: str) -> None:
        """Wait until nothing goes on, then look where the focus is."""
        busy = self.widget.element.locator("[part~=body].busy")
        self.widget.page.wait_for_timeout(250)
        self.widget.until(lambda: busy.count() == 0, f"{name} is done")
        self.widget.page.wait_for_timeout(100)
        if self.widget.evaluate(LOST):
            self.lost.append(name)


def test_the_focus_is_kept_in_the_review(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "focus"})
    widget.choose(csv(MANY))
    widget.go_to("review")
    keys = Keys(widget)
    widget.element.get_by_role("gridcell", name="many").first.wait_for()

    keys.press(re.compile("is not a whole number"))
    widget.element.get_by_label("Set all to").fill("3")
    keys.press("Set")
    keys.press("Undo")
    keys.press("Redo")
    keys.press("Undo")
    keys.press("Find and replace")
    keys.press("Close")
    keys.press("Other ways to import")
    keys.press("Include rows with errors…")
    keys.press("Cancel")
    keys.press(re.compile("^Errors"))
    keys.press("Show all rows")
    keys.press(re.compile("is not a whole number"))
    keys.press(re.compile("^Exclude "))
    keys.press("Undo")

    assert keys.lost == []


def test_the_focus_is_kept_while_questions_are_answered(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "focus"})
    widget.choose(csv(UNKNOWN))
    keys = Keys(widget)

    keys.press("Continue to review")
    widget.until(lambda: widget.step == "review", "the review is there")
    keys.settle("the review")
    keys.press(re.compile("^Month first"))
    keys.press(re.compile("^Use “Month first"))

    assert keys.lost == []

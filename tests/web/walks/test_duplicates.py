"""Duplicates are found, kept, merged and dismissed in the panel of the review, by keyboard, too."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator

from tests.web.walks.test_accessibility import violations
from tests.web.walks.test_answers import csv
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

HEAD = "Order number,Customer,Ordered on,Article,Quantity,Unit price,Status\n"
FILE = HEAD + "".join(
    f"A-{number},{customer},2026-02-0{number},LX-{number},2,19.90,open\n"
    for number, customer in enumerate(
        ["Anna Schmidt", "Anna Schmitt", "Bert Huber", "Bert Hubert", "Carla Weber"], start=1
    )
)


@pytest.fixture
def panel(open_widget: Callable[..., Widget]) -> tuple[Widget, Locator]:
    """Come to the groups of similar customers."""
    widget = open_widget(session={"catalogKey": "orders", "scope": "duplicates"})
    widget.choose(csv(FILE))
    widget.go_to("review")
    widget.button("Duplicates").click()
    dialog = widget.element.get_by_role("dialog", name="Duplicates")
    dialog.get_by_text("No duplicates found.").wait_for()
    dialog.get_by_role("combobox", name="Compare").select_option("near")
    dialog.get_by_role("checkbox", name="Customer").check()
    dialog.get_by_role("button", name="Find duplicates").click()
    dialog.get_by_text("Groups: 2").wait_for()
    return widget, dialog


def group(dialog: Locator, number: int) -> Locator:
    return dialog.get_by_role("region", name=f"Group {number}: 2 rows")


def test_similar_rows_are_kept_merged_and_dismissed(panel: tuple[Widget, Locator]) -> None:
    widget, dialog = panel
    assert violations(widget) == []

    group(dialog, 1).get_by_role("button", name="Merge").click()
    group(dialog, 1).get_by_role("radio", name="Use for Customer: Anna Schmitt").check()
    group(dialog, 1).get_by_role("button", name="Merge").click()
    dialog.get_by_text("Done. Rows left out: 1").wait_for()
    dialog.get_by_text("Groups: 1").wait_for()
    group(dialog, 1).get_by_role("button", name="Keep all").click()
    dialog.get_by_text("No duplicates found.").wait_for()

    dialog.get_by_role("button", name="Undo").click()
    dialog.get_by_text("Groups: 1").wait_for()
    group(dialog, 1).get_by_role("button", name="Keep the first").click()
    dialog.get_by_text("No duplicates found.").wait_for()
    dialog.get_by_role("button", name="Close").click()

    widget.button("Import all 3 rows").wait_for()
    kept = widget.element.get_by_role("row").filter(has=widget.page.get_by_text("A-1", exact=True))
    assert kept.get_by_role("gridcell", name="Anna Schmitt").count() == 1


def test_the_panel_is_used_by_keyboard_alone(panel: tuple[Widget, Locator]) -> None:
    widget, dialog = panel
    keep = group(dialog, 1).get_by_role("button", name="Keep the first")
    keep.focus()

    widget.page.keyboard.press("Enter")
    dialog.get_by_text("Done. Rows left out: 1").wait_for()
    widget.page.keyboard.press("Escape")

    dialog.wait_for(state="detached")
    widget.button("Import all 4 rows").wait_for()

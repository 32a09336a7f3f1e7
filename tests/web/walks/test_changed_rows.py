"""A person adds a step to the columns and sees which rows it changes."""

from collections.abc import Callable

import pytest

from tests.web.walks.engine import Engine
from tests.web.walks.test_accessibility import violations
from tests.web.walks.test_editor import publish
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web
FILE = {
    "name": "people.csv",
    "mimeType": "text/csv",
    "buffer": b"Name,Town\nAda Lovelace,Paris\nBob,\nCyd Bell,Rome\n",
}
FIELDS = [{"key": "name", "label": "Name"}, {"key": "town", "label": "Town"}]


@pytest.fixture(scope="module")
def people(engine: Engine) -> str:
    publish(engine, "changed-rows", title="People", entries=[{"id": "person", "fields": FIELDS}])
    return "changed-rows"


def test_the_rows_that_a_step_changes_are_shown_next_to_it(
    open_widget: Callable[..., Widget], people: str
) -> None:
    widget = open_widget(session={"catalogKey": people}, show_all_steps="")
    widget.choose(FILE)
    widget.go_to("columns")
    widget.button("Split, join, fill…").click()
    widget.element.get_by_label("New columns (comma-separated)").fill("First, Last")
    widget.button("Add").click()

    widget.button("Show changed rows").click()

    shown = widget.element.locator(".changed")
    shown.get_by_text("Lovelace").first.wait_for()
    assert shown.locator("li").count() == 3
    assert shown.locator("ins").all_text_contents().count("Bell") == 1
    assert violations(widget) == []

    widget.button("Show changed rows").click()
    shown.wait_for(state="detached")

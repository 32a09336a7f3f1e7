"""A column that no field takes becomes a field of its own, where the page may do that."""

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
    "buffer": b"Name,Town,Farbe\nAda,Paris,red\nBob,,blue\nCyd,Rome,\n",
}
FIELDS = [{"key": "name", "label": "Name"}, {"key": "town", "label": "Town"}]
KEEP = "Keep as a new field"


@pytest.fixture(scope="module")
def own(engine: Engine) -> str:
    """Return the key of a catalog that lets people add fields."""
    entry = {"id": "person", "fields": FIELDS, "allowCustomFields": True}
    publish(engine, "own-fields", title="People", entries=[entry])
    return "own-fields"


@pytest.fixture
def at_columns(open_widget: Callable[..., Widget], own: str) -> Callable[..., Widget]:
    """Return a function that opens the columns of a file with one unmapped column."""

    def open_one(**session: object) -> Widget:
        about = {"catalogKey": own, "applyMode": "browser", **session}
        widget = open_widget(session=about, show_all_steps="")
        widget.choose(FILE)
        widget.go_to("columns")
        widget.element.get_by_role("combobox").last.wait_for()
        return widget

    return open_one


def test_an_unmapped_column_is_kept_as_a_new_field(
    at_columns: Callable[..., Widget], engine: Engine
) -> None:
    widget = at_columns(rights=["customFields"])

    widget.element.get_by_role("combobox").last.select_option(KEEP)
    name = widget.element.get_by_label("Name of the field")
    name.wait_for()
    assert name.input_value() == "Farbe"
    name.fill("Color")
    name.press("Tab")
    assert violations(widget) == []
    widget.go_to("review")
    widget.element.get_by_text("Color").first.wait_for()
    widget.import_all()

    record = widget.wait_for_applied()["recordId"]
    results = engine.call("get", f"imports/{record}/results").json()
    assert results["items"][0]["person.custom.color"] == "red"
    assert results["customFields"] == [
        {"field": "person.custom.color", "key": "color", "label": "Color", "columnType": "string"}
    ]


def test_a_page_without_the_right_offers_no_new_field(at_columns: Callable[..., Widget]) -> None:
    widget = at_columns()

    options = widget.element.get_by_role("combobox").last.locator("option").all_text_contents()

    assert KEEP not in [option.strip() for option in options]

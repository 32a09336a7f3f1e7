"""Choosing a field among many: by search, by keyboard, on a phone, from right to left."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator

from tests.web.walks.engine import Engine
from tests.web.walks.test_accessibility import violations
from tests.web.walks.test_editor import publish
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

PHONE = {"viewport": {"width": 360, "height": 740}}
WORDS = (
    "Number,Name,Street,City,Country,Phone,E-mail,Birthday,Limit,Currency,Language,Segment,Notes"
)
LABELS = WORDS.split(",")
FILE = {
    "name": "people.csv",
    "mimeType": "text/csv",
    "buffer": b"Number,Name,Odd\nA-1,Ada,x\nA-2,Bob,y\nA-3,Cyd,z\n",
}


def publish_many(engine: Engine) -> str:
    """Publish a catalog of thirteen fields; return its key."""
    fields = [{"key": f"f{n}", "label": label} for n, label in enumerate(LABELS)]
    publish(engine, "many", title="People", entries=[{"id": "people", "fields": fields}])
    return "many"


@pytest.fixture(scope="module")
def many(engine: Engine) -> str:
    """Return the key of that catalog."""
    return publish_many(engine)


@pytest.fixture
def at_columns(open_widget: Callable[..., Widget], many: str) -> Callable[..., Widget]:
    """Return a function that opens the columns of a file with one unmapped column."""

    def open_one(*, heading: str = "Match", **about: object) -> Widget:
        widget = open_widget(session={"catalogKey": many}, show_all_steps="", **about)
        widget.choose(FILE)
        widget.go_to("columns")
        chooser(widget).wait_for()
        widget.until(lambda: widget.focused().startswith(heading), "the step has the focus")
        return widget

    return open_one


def chooser(widget: Widget) -> Locator:
    """Return the control that chooses the field of the unusual column."""
    return widget.element.get_by_role("combobox").last


def options(widget: Widget) -> list[str]:
    """Return the options of the open list."""
    texts = widget.element.get_by_role("option").all_text_contents()
    return [" ".join(text.split()) for text in texts]


def chosen(widget: Widget) -> str:
    """Return the field of the unusual column, as the control shows it."""
    return chooser(widget).input_value()


def test_a_field_is_searched_and_chosen_by_keyboard(at_columns: Callable[..., Widget]) -> None:
    widget = at_columns()
    press = widget.page.keyboard.press
    field = chooser(widget)
    assert chosen(widget) == "Do not import"

    field.focus()
    assert options(widget) == []
    press("ArrowDown")
    assert len(options(widget)) == 14
    press("Escape")
    assert (options(widget), chosen(widget)) == ([], "Do not import")

    widget.page.keyboard.type("cou")
    assert options(widget) == ["Country"]
    press("Enter")
    assert (options(widget), chosen(widget)) == ([], "Country")

    widget.page.keyboard.type("name")
    assert options(widget) == ["Name (in use)"]
    press("Tab")
    assert (options(widget), chosen(widget)) == ([], "Country")

    field.focus()
    press("ArrowUp")
    press("ArrowUp")
    active = field.get_attribute("aria-activedescendant")
    assert widget.element.locator(f"#{active}").inner_text() == "City"
    press("Enter")
    assert chosen(widget) == "City"

    widget.go_to("review")
    headers = widget.element.get_by_role("columnheader").all_text_contents()
    assert any("City" in header for header in headers)


def test_a_search_that_finds_nothing_says_so_and_changes_nothing(
    at_columns: Callable[..., Widget],
) -> None:
    widget = at_columns()
    chooser(widget).fill("zzz")

    assert options(widget) == ["Nothing matches"]
    widget.page.keyboard.press("Enter")
    widget.page.keyboard.press("Escape")

    assert chosen(widget) == "Do not import"


@pytest.mark.parametrize(("locale", "heading"), [("en", "Match"), ("ar", "اربط")])
def test_the_list_fits_a_phone_from_either_side(
    locale: str, heading: str, at_columns: Callable[..., Widget]
) -> None:
    widget = at_columns(heading=heading, browser_about=PHONE, locale=locale)
    field = chooser(widget)

    field.click()

    box, own = widget.element.get_by_role("listbox").bounding_box(), field.bounding_box()
    assert box
    assert own
    assert (box["x"], box["width"]) == pytest.approx((own["x"], own["width"]), abs=1)
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= PHONE["viewport"]["height"]
    target = widget.element.get_by_role("option").nth(3)
    assert round((target.bounding_box() or {})["height"]) >= 44
    target.click()
    assert chosen(widget) == "Street"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_open_list(scheme: str, at_columns: Callable[..., Widget]) -> None:
    widget = at_columns(theme=scheme)
    chooser(widget).click()
    opened = violations(widget)
    chooser(widget).fill("zzz")

    assert [opened, violations(widget)] == [[], []]


def test_the_column_of_a_step_is_searched_where_there_are_many(
    open_widget: Callable[..., Widget], many: str
) -> None:
    rows = ",".join(LABELS) + "\n" + "\n".join(",".join("abcdefghijklm") for _ in range(3))
    widget = open_widget(session={"catalogKey": many}, show_all_steps="")
    widget.choose({"name": "wide.csv", "mimeType": "text/csv", "buffer": rows.encode()})
    widget.go_to("columns")
    widget.button("Split, join, fill…").click()
    column = widget.element.get_by_role("combobox", name="Column", exact=True)

    column.fill("seg")
    widget.page.keyboard.press("Enter")
    widget.element.get_by_label("New columns (comma-separated)").fill("left, right")
    widget.button("Add").click()

    widget.element.get_by_text("Segment is split into left and right").wait_for()

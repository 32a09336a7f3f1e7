"""The list of fields stays in sight, and a field offers only what applies to it."""

from collections.abc import Callable

import pytest

from tests.web.walks.editor import Editor
from tests.web.walks.engine import Engine
from tests.web.walks.test_editor import draft, publish, save

pytestmark = pytest.mark.web

FIELDS = [{"key": f"field{n}", "label": f"Field {n}"} for n in range(30)]
OPTIONS = [{"label": "Open", "value": "open"}, {"label": "Paid", "value": "paid"}]
# The lower edges of the list of fields and of the window, wherever the page was scrolled to.
EDGES = """async () => {
  const editor = document.querySelector('service-catalog-editor')
  const list = editor.shadowRoot.querySelector('.fields-scroll')
  const ends = []
  for (const share of [0, .5, 1]) {
    scrollTo(0, share * document.documentElement.scrollHeight)
    await new Promise(requestAnimationFrame)
    const {top, bottom} = list.getBoundingClientRect()
    ends.push([top, innerHeight - bottom])
  }
  return ends
}"""


def test_the_list_of_fields_leaves_no_empty_space_below_it(
    open_editor: Callable[..., Editor], engine: Engine
) -> None:
    publish(engine, "long", entries=[{"id": "entry", "label": "Entry", "fields": FIELDS}])
    editor = open_editor(catalog_key="long")
    editor.element.get_by_role("button", name="Field 0").first.click()
    editor.element.get_by_role("region", name="Field 0").wait_for()

    ends = editor.page.evaluate(EDGES)

    assert [end for end in ends if end[1] > 90] == [], "fields are hidden above empty space"


def test_a_member_without_effect_is_not_offered(
    open_editor: Callable[..., Editor], engine: Engine
) -> None:
    fields = [
        {"key": "name", "label": "Name"},
        {"key": "status", "label": "Status", "columnType": "category", "dropdownOptions": OPTIONS},
        {"key": "odd", "label": "Odd", "isMultiSelect": True},
    ]
    save(engine, "offers", entries=[{"id": "entry", "label": "Entry", "fields": fields}])
    editor = open_editor(catalog_key="offers")

    offered = {}
    for name in ("Name", "Status", "Odd"):
        editor.element.locator(".field-main").filter(has_text=name).click()
        form = editor.element.get_by_role("region", name=name)
        form.wait_for()
        several = form.get_by_text("Multiple values").count() > 0
        offered[name] = several, form.get_by_label("Delivered as").count() > 0

    assert offered == {"Name": (False, True), "Status": (True, False), "Odd": (True, True)}


def test_what_people_confirm_is_set_and_taken_back(
    open_editor: Callable[..., Editor], engine: Engine
) -> None:
    save(engine, "guarded", entries=[{"id": "entry", "label": "Entry", "fields": FIELDS[:2]}])
    editor = open_editor(catalog_key="guarded")
    editor.tab("Details").click()

    editor.button("Require").click()
    editor.text("Rows that one person may change alone").fill("50")
    editor.text("What needs approval").select_option("Publish")
    editor.element.get_by_role("switch", name="Allow full syncs").click()
    editor.text("Confirm a full sync if more is missing than").fill("25")
    editor.element.get_by_role("switch", name="Allow custom fields").click()
    editor.saved()
    written = draft(engine, "guarded")

    assert written["secondPerson"] == {"above": 50, "on": ["publish"]}
    assert written["entries"][0]["fullSync"] == {"share": 0.25}
    assert written["entries"][0]["allowCustomFields"] is True

    editor.button("Stop requiring a second person").click()
    editor.button("Do not allow full syncs").click()
    editor.element.get_by_role("switch", name="Allow custom fields").click()
    editor.saved()
    written = draft(engine, "guarded")

    assert "secondPerson" not in written
    assert {"fullSync", "allowCustomFields"}.isdisjoint(written["entries"][0])

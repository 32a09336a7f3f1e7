"""The editor in a real browser: from the list to the next version, and what comes between."""

import json
from collections.abc import Callable

import pytest
import requests
from playwright.sync_api import Page

from tests.web.walks.editor import Editor, editor_page
from tests.web.walks.engine import Engine
from tests.web.walks.hosts import AXE, Host

pytestmark = pytest.mark.web

STRICT = (
    "default-src 'none'; script-src 'self' {engine}; style-src 'self'; img-src data:; "
    "connect-src {engine}; require-trusted-types-for 'script'; trusted-types lit-html"
)
RUN_AXE = """async () => {
  const {violations} = await axe.run('service-catalog-editor', {resultTypes: ['violations']})
  const told = node => `${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 240)}`
  return violations.map(one => [one.id, ...one.nodes.slice(0, 3).map(told)])
}"""


def save(engine: Engine, key: str, **members: object) -> None:
    """Save a draft as another person does."""
    fields = [
        {"key": "name", "label": "Name", "required": True},
        {"key": "email", "label": "E-mail", "columnType": "email"},
        {"key": "country", "label": "Country", "columnType": "country_code_alpha_2"},
    ]
    document = {"entries": [{"id": "person", "label": "Person", "fields": fields}], **members}
    call(engine, "PUT", f"{key}/draft", document)


def publish(engine: Engine, key: str, **members: object) -> None:
    save(engine, key, **members)
    call(engine, "POST", f"{key}/publish", {})


def call(engine: Engine, method: str, path: str, body: object = None) -> dict:
    headers = {"Authorization": f"Bearer {engine.editor_key()}"}
    url = f"{engine.origin}/api/import/v1/catalogs/{path}"
    answer = requests.request(method, url, json=body, headers=headers, timeout=60)
    answer.raise_for_status()
    given: dict = answer.json()
    return given


def draft(engine: Engine, key: str) -> dict:
    return call(engine, "GET", f"{key}/draft")


def test_a_page_of_another_origin_edits_and_publishes_under_a_strict_policy(
    open_editor: Callable[..., Editor], engine: Engine
) -> None:
    publish(engine, "strict")
    editor = open_editor(csp=STRICT.format(engine=engine.origin), catalog_key="strict")
    editor.shows("Published v1")

    editor.field("E-mail").click()
    editor.text("Label").fill("Mail address")
    editor.saved()
    editor.review()
    editor.publish(2, note="Better words")

    assert editor.heard("catalog-published") == [{"key": "strict", "version": 2}]
    assert editor.page.evaluate("() => window.violations") == []
    fields = call(engine, "GET", "strict")["entries"][0]["fields"]
    assert [field["label"] for field in fields] == ["Name", "Mail address", "Country"]


def test_the_key_is_nowhere_in_the_page(open_editor: Callable[..., Editor], engine: Engine) -> None:
    editor = open_editor(license_key=engine.editor_key())
    editor.shows("Orders")

    assert "imp_lic_" not in (editor.element.evaluate("e => e.outerHTML"))


def test_a_key_without_the_entitlement_only_looks(
    open_page: Callable[..., Page], engine: Engine, host: Host
) -> None:
    editor = Editor(open_page(editor_page(host, key=engine.key, catalog_key="orders")))
    editor.shows("Read-only")

    assert editor.text("Label").get_attribute("readonly") is not None
    assert editor.button("Review and publish").count() == 0


def test_an_editor_logs_in_and_the_address_follows(
    open_page: Callable[..., Page], engine: Engine
) -> None:
    publish(engine, "staffed", title="Staffed")
    page = open_page(f"{engine.origin}/admin/login/?next=/admin/catalogs")
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.fill("#id_username", "admin")
    page.fill("#id_password", engine.password)
    page.click("[type=submit]")
    editor = Editor(page)

    editor.button("Staffed").click()
    editor.text("Label").fill("Full name")
    editor.saved()

    assert page.url.endswith("/admin/catalogs/staffed/edit?tenant=tnt_demo")
    saved = draft(engine, "staffed")
    assert saved["entries"][0]["fields"][0]["label"] == "Full name"
    page.go_back()
    editor.button("Staffed").wait_for()
    assert [text for text in messages if "Content Security Policy" in text] == []


def test_a_lost_race_shows_both_and_loses_neither(
    open_editor: Callable[..., Editor], engine: Engine
) -> None:
    save(engine, "raced", title="Raced")
    editor = open_editor(catalog_key="raced")
    editor.element.get_by_role("heading", name="Raced", exact=True).wait_for()
    editor.text("Label").wait_for()
    save(engine, "raced", title="Theirs")

    editor.text("Label").fill("Mine")
    editor.shows("Another person changed this draft.")
    table = editor.element.locator(".conflict table")
    assert "Theirs" in table.inner_text()
    assert "Mine" in table.inner_text()
    assert draft(engine, "raced")["title"] == "Theirs"

    editor.button("Reload theirs").click()
    editor.element.get_by_role("heading", name="Theirs", exact=True).wait_for()
    editor.button("Undo").click()
    editor.saved()

    assert draft(engine, "raced")["title"] == "Raced"
    assert draft(engine, "raced")["entries"][0]["fields"][0]["label"] == "Mine"


def test_a_finding_is_at_its_control_and_goes_when_it_is_mended(
    open_editor: Callable[..., Editor], engine: Engine
) -> None:
    save(engine, "found")
    editor = open_editor(catalog_key="found")
    editor.button("Rule").click()
    editor.text("Kind of rule").select_option("regex")
    pattern = editor.text("Pattern")

    pattern.fill("(((")
    editor.saved()
    editor.shows("This pattern cannot be read")
    hint = editor.element.locator(f"#{pattern.get_attribute('aria-describedby')}")
    assert "This pattern cannot be read" in hint.inner_text()

    pattern.fill("^[A-Z]+$")
    editor.until(lambda: hint.count() == 0, "the finding is gone")


def test_a_detector_says_how_much_of_a_file_it_recognises(
    open_editor: Callable[..., Editor], engine: Engine
) -> None:
    save(engine, "detected")
    editor = open_editor(catalog_key="detected")
    editor.field("E-mail").click()
    editor.button("Detector").click()
    given = people("a@b.example", "nobody", "c@d.example", "e@f.example")
    editor.element.locator(".part input[type=file]").set_input_files(given)  # type: ignore[arg-type]  # a payload
    editor.shows("75% of E-mail (3 of 4)")

    editor.text("Kind of detector").select_option("regex")
    editor.text("Pattern").fill("^nobody$")

    editor.shows("25% of E-mail (1 of 4)")


def test_json_is_the_same_catalog_both_ways(
    open_editor: Callable[..., Editor], engine: Engine
) -> None:
    save(engine, "texted")
    editor = open_editor(catalog_key="texted")
    editor.tab("JSON").click()
    area = editor.text("The catalog as JSON")
    document = json.loads(area.input_value())

    area.fill('{"entries": [}')
    editor.shows("A value is expected here.")
    editor.shows("Line 1, column 14.")
    document["entries"][0]["fields"][0]["label"] = "From the text"
    area.fill(json.dumps(document))
    editor.tab("Fields").click()

    assert editor.text("Label").input_value() == "From the text"
    editor.text("Label").fill("From the form")
    editor.tab("JSON").click()
    assert '"label": "From the form"' in area.input_value()


def test_a_catalog_begins_with_a_json_schema(
    open_editor: Callable[..., Editor], engine: Engine
) -> None:
    rows = {"type": "object", "required": ["name"], "properties": {
        "name": {"type": "string", "title": "Full name"},
        "mail": {"type": "string", "format": "email"},
    }}  # fmt: skip
    schema = {"title": "Members", "type": "array", "items": rows}
    editor = open_editor()
    editor.button("New").click()
    editor.element.get_by_role("button", name="Import JSON Schema").click()
    editor.text("Or paste it").fill(json.dumps(schema))
    editor.shows("2 fields")
    editor.text("Key").fill("club_members")
    editor.button("Open in editor").click()
    editor.saved()

    fields = draft(engine, "club_members")["entries"][0]["fields"]
    shown = [(field["key"], field.get("columnType"), field.get("required")) for field in fields]
    assert shown == [("name", "string", True), ("mail", "email", None)]
    assert fields[0]["label"] == "Full name"
    editor.tab("JSON").click()
    with editor.page.expect_download() as saved:
        editor.button("Download what hosts receive as a JSON Schema").click()
    assert saved.value.suggested_filename == "club_members.schema.json"


def test_the_order_changes_by_keyboard_and_is_told(
    open_editor: Callable[..., Editor], engine: Engine
) -> None:
    save(engine, "ordered")
    editor = open_editor(catalog_key="ordered")
    editor.field("Country").click()
    editor.page.keyboard.press("Shift+Tab")
    status = editor.element.locator("p[role=status]")
    assert editor.focused() == "Move Country, 3 of 3"

    for key, announcement in (
        ("Space", "Country picked up, position 3."),
        ("ArrowUp", "Country moved to position 2 of 3."),
        ("ArrowUp", "Country moved to position 1 of 3."),
        ("Space", "Country dropped at position 1."),
    ):
        editor.page.keyboard.press(key)
        editor.until(
            lambda announcement=announcement: announcement in status.inner_text(), announcement
        )

    editor.saved()
    fields = draft(engine, "ordered")["entries"][0]["fields"]
    assert [field["key"] for field in fields] == ["country", "name", "email"]


def test_the_order_changes_by_drag(open_editor: Callable[..., Editor], engine: Engine) -> None:
    save(engine, "dragged")
    editor = open_editor(catalog_key="dragged")

    editor.field("Country").drag_to(editor.field("Name"))
    editor.saved()

    fields = draft(engine, "dragged")["entries"][0]["fields"]
    assert [field["key"] for field in fields] == ["country", "name", "email"]


def test_a_field_with_a_rule_is_made_by_keyboard_alone(
    open_editor: Callable[..., Editor], engine: Engine
) -> None:
    save(engine, "keyed")
    editor = open_editor(catalog_key="keyed")
    editor.shows("keyed")
    keyboard = editor.page.keyboard

    def tab_to(name: str) -> None:
        for _ in range(80):
            if editor.focused() == name:
                return
            keyboard.press("Tab")
        raise AssertionError(f"{name!r} is not reached by Tab")

    tab_to("Add a field")
    keyboard.press("Enter")
    editor.until(lambda: editor.focused() == "Label", "the new field's label has the focus")
    keyboard.type("Staff number")
    tab_to("Rule")
    keyboard.press("Enter")
    editor.until(lambda: editor.focused() == "Kind of rule", "the new rule has the focus")
    keyboard.type("Pat")
    tab_to("Pattern")
    keyboard.type("^S-[0-9]+$")
    editor.saved()

    fields = draft(engine, "keyed")["entries"][0]["fields"]
    assert fields[1] == {
        "key": "staff_number",
        "columnType": "string",
        "label": "Staff number",
        "validations": [{"validate": "regex", "regex": "^S-[0-9]+$"}],
    }


def people(*emails: str) -> dict:
    lines = [f"Person {n},{email},DE" for n, email in enumerate(emails)]
    text = "\n".join(["Name,E-mail,Country", *lines]) + "\n"
    return {"name": "people.csv", "mimeType": "text/csv", "buffer": text.encode()}


def test_a_kept_file_stops_a_publish_until_its_result_is_expected(
    open_editor: Callable[..., Editor], engine: Engine
) -> None:
    publish(engine, "tested")
    editor = open_editor(catalog_key="tested")
    editor.field("E-mail").click()
    editor.text("Description").fill("Where mail goes")
    editor.saved()
    editor.tab("Test with a file").click()
    files = editor.element.locator("input[type=file]")
    files.set_input_files(people("a@b.example", "nobody", "c@d.example"))  # type: ignore[arg-type]  # a payload
    editor.shows("3 of 3 columns proposed, 0 to answer, 1 errors")
    editor.shows("“nobody” is not an e-mail address.")
    editor.button("Save as test file").click()
    editor.shows("Passes")

    editor.tab("Fields").click()
    editor.button("Rule").click()
    editor.text("Kind of rule").select_option("regex")
    editor.text("Pattern").fill("[.]com$")
    editor.saved()
    editor.review()
    editor.button("Publish version 2").click()
    editor.shows("people.csv")
    assert call(engine, "GET", "tested/versions")["items"][0]["state"] == "draft"

    editor.button("Back to the fields").first.click()
    editor.tab("Test with a file").click()
    editor.shows("Fails")
    editor.button("Expect this from now on").click()
    editor.shows("Passes")
    editor.review()
    editor.publish(2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_view(
    scheme: str, open_editor: Callable[..., Editor], engine: Engine
) -> None:
    key = f"axe-{scheme}"
    rules = [
        {"validate": "required_with_values", "columnValues": {"country": ["DE", "AT"]}},
        {"validate": "compare", "op": "gte", "value": 3, "severity": "warning"},
        {"validate": "regex", "regex": "((("},
    ]
    field = {
        "key": "code", "validations": rules, "alternativeMatches": ["Nr."],
        "dropdownOptions": [{"label": "Open", "type": "string", "value": "open"}],
        "valueDetectors": [{"kind": "regex", "pattern": "^A"}, {"kind": "oneOf", "values": ["a"]}],
        "reference": {"entity": "other", "matchOn": ["id"], "cardinality": "many",
                      "resolve": {"exact": True, "fuzzy": True, "learned": False}},
    }  # fmt: skip
    entries = [
        {"id": "person", "fields": [field, {"key": "country"}]},
        {"id": "other", "fields": [{"key": "id"}]},
    ]
    publish(engine, key)
    save(engine, key, entries=entries)
    editor = open_editor(theme=scheme)
    editor.shows("Orders")
    by_view = {"list": violations(editor)}
    editor.button("New").click()
    by_view["menu"] = violations(editor)
    editor.element.locator(".menu button").first.click()
    by_view["new"] = violations(editor)
    editor.button("Cancel").click()
    editor.element.locator(".catalogs tr", has_text=key).locator(".as-link").click()
    editor.shows("This pattern cannot be read")
    by_view["fields"] = violations(editor)
    for tab in ("Details", "Contract", "Test with a file", "JSON"):
        editor.tab(tab).click()
        editor.page.wait_for_load_state("networkidle")
        by_view[tab] = violations(editor)
    editor.review()
    editor.shows("since version 1")
    by_view["review"] = violations(editor)

    assert {view: wrong for view, wrong in by_view.items() if wrong} == {}


def violations(editor: Editor) -> list:
    """Run axe over the element; return its findings in short."""
    editor.page.evaluate(AXE.read_text("utf-8"))
    listed: list = editor.page.evaluate(RUN_AXE)
    return listed

"""One catalog from a sample file to its fourth version, and the widget that follows each."""

from collections.abc import Callable

import pytest

from tests.web.walks.editor import Editor
from tests.web.walks.engine import Engine
from tests.web.walks.test_editor import call
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

HEADER = "Kunden-Nr.;Firma;E-Mail;Land;Kunde seit;Status;Notiz"
LANDS, STATES = ("DE", "AT", "FR"), ("aktiv", "ruhend", "gesperrt")


def contacts(rows: int = 60) -> dict:
    lines = [
        f"K-{1000 + n};Firma {n} GmbH;info@firma{n}.example;{LANDS[n % 3]};"
        f"{n % 28 + 1:02}.03.2021;{STATES[n % 3]};{'x' if n % 15 == 0 else ''}"
        for n in range(rows)
    ]
    text = "\n".join([HEADER, *lines]) + "\n"
    return {"name": "contacts.csv", "mimeType": "text/csv", "buffer": text.encode()}


def target(open_widget: Callable[..., Widget], key: str) -> str:
    """Return what a new widget reports about its target."""
    widget = open_widget(session={"catalogKey": key})
    widget.until(widget.is_ready, "the widget is ready")
    about = widget.element.locator(".about").inner_text()
    widget.page.context.close()
    return about


def test_a_catalog_is_built_from_a_file_made_stricter_broken_and_restored(
    open_editor: Callable[..., Editor], open_widget: Callable[..., Widget], engine: Engine
) -> None:
    editor = open_editor()
    editor.button("New").click()
    editor.element.get_by_role("button", name="From a sample file").click()
    editor.element.locator("input[type=file]").set_input_files(contacts())  # type: ignore[arg-type]  # a payload
    editor.element.get_by_role("row", name="Kunden-Nr.").wait_for()
    assert editor.text("Notiz").is_checked() is False  # nearly empty
    editor.text("Catalog name").fill("Contacts")
    editor.text("Key").fill("contacts")
    editor.text("Label: Kunden-Nr.").fill("Customer number")
    editor.text("Key: Kunden-Nr.").fill("number")
    editor.button("Open in editor").click()
    editor.saved()

    assert "Draft" in editor.element.locator("header").inner_text()
    editor.review()
    editor.shows("The first version")
    editor.publish(1, note="From a file")
    fields = call(engine, "GET", "contacts")["entries"][0]["fields"]
    assert fields[0]["key"] == "number"
    assert fields[0]["alternativeMatches"][0] == "Kunden-Nr."
    assert target(open_widget, "contacts") == f"Target: Contacts · {len(fields)} fields"

    # Stricter: it is reported, and needs no confirmation.
    editor.button("Back to the fields").first.click()
    editor.field("Kunde seit").click()
    editor.button("Rule").click()
    editor.text("Kind of rule").last.select_option("compare")
    editor.text("Value").fill("2000-01-01")
    editor.saved()
    editor.review()
    editor.shows("Stricter")
    assert editor.text("I have read the breaking changes").count() == 0
    editor.publish(2, note="Nobody before 2000")

    # Breaking: not without having read it.
    editor.button("Back to the fields").first.click()
    editor.field("Firma").click()
    editor.button("Remove this field").click()
    editor.saved()
    editor.review()
    editor.shows("One change can break the host.")
    assert editor.button("Publish version 3").is_disabled()
    editor.publish(3, note="No names", breaks=True)
    assert target(open_widget, "contacts") == f"Target: Contacts · {len(fields) - 1} fields"

    # Back to the second version.
    editor.button("Version 2").click()
    editor.button("Restore as draft").click()
    editor.shows("1 change since version 3")
    editor.shows("Added")
    editor.publish(4, note="Names are back")
    assert target(open_widget, "contacts") == f"Target: Contacts · {len(fields)} fields"
    versions = [item["version"] for item in editor.heard("catalog-published")]
    assert versions == [1, 2, 3, 4]
    second = call(engine, "GET", "contacts/versions/2")
    assert call(engine, "GET", "contacts")["entries"] == second["entries"]

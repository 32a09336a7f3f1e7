"""After an import, a person reads and keeps what came in, what was skipped and who has it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.walks.screens import FILE, file_of
from tests.web.walks.test_accessibility import violations
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web


@pytest.mark.parametrize(
    ("locale", "name", "texts"),
    [
        ("en", "Receipt", ["Above the table", "Rows with errors", "No system undoes this import"]),
        ("de", "Beleg", ["Über der Tabelle", "Zeilen mit Fehlern", "Kein System macht"]),
    ],
)
def test_the_receipt_of_an_import_is_read_and_saved(
    locale: str, name: str, texts: list[str], open_widget: Callable[..., Widget]
) -> None:
    session = {"catalogKey": "orders", "scope": f"receipt-{locale}"}
    widget = open_widget(session=session, locale=locale)
    widget.choose(file_of(FILE))
    widget.go_to("review")
    widget.import_all()
    record_id = widget.wait_for_applied()["recordId"]

    widget.button(name).click()

    dialog = widget.element.get_by_role("dialog")
    dialog.wait_for()
    text = dialog.inner_text()
    assert [
        part for part in ["orders.csv", "15", "Demo receiver", *texts] if part not in text
    ] == [], text
    assert violations(widget) == []
    with widget.page.expect_download() as download:
        dialog.locator("button").first.click()
    kept = Path(download.value.path()).read_text("utf-8")
    assert download.value.suggested_filename == "orders-receipt.html"
    assert [part for part in ["orders.csv", record_id, *texts] if part not in kept] == []
    with widget.page.expect_download() as download:
        dialog.locator("button").nth(1).click()
    signed = Path(download.value.path()).read_text("utf-8")
    assert json.loads(signed)["receipt"]["recordId"] == record_id
    assert "orders.csv" not in signed
    assert download.value.suggested_filename == f"receipt-{record_id}.json"
    dialog.locator("button").last.click()
    dialog.wait_for(state="detached")
    assert widget.focused() == name

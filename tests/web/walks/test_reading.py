"""The grid shows readable values; each cell also has its delivered value."""

from collections.abc import Callable

import pytest

from tests.web.walks.test_answers import csv
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

HEAD = "Auftrags-Nr.;Bestellt am;Kunde;Artikel;Menge;Preis;Status\n"
TEXT = HEAD + "".join(f"A-{n};{20 + n}.02.2026;Ada;LX-100;2;1219,90;open\n" for n in range(3))
TEXT += "A-9;31.31.2026;Ada;LX-100;2;7,00;open\n"


def test_labels_dates_and_numbers_are_shown_in_the_language_of_the_widget(
    open_widget: Callable[..., Widget],
) -> None:
    session = {"catalogKey": "orders", "scope": "reading", "applyMode": "browser"}
    widget = open_widget(session=session, locale="de")
    widget.page.set_viewport_size({"width": 1600, "height": 900})  # every column is drawn
    widget.choose(csv(TEXT))
    widget.go_to("review")
    cell = widget.element.get_by_role("gridcell")
    day = cell.filter(has_text="20. Feb. 2026")
    day.wait_for()

    assert day.get_attribute("title") == "Geliefert als 2026-02-20"
    assert cell.filter(has_text="1219,9").count() == 3
    assert cell.filter(has_text="31.31.2026").get_attribute("aria-invalid") == "true"
    status = cell.filter(has_text="Open")
    assert status.count() == 4
    assert status.first.get_attribute("title") == "Geliefert als open"

    day.dblclick()
    box = widget.element.locator("textarea")
    assert box.input_value() == "20.02.2026"
    box.fill("3.4.2026")
    widget.page.keyboard.press("Enter")
    cell.filter(has_text="3. Apr. 2026").wait_for()
    status.first.dblclick()
    assert box.input_value() == "Open"
    box.fill("Paid")
    widget.page.keyboard.press("Enter")
    cell.filter(has_text="Paid").wait_for()

    widget.import_all()
    widget.wait_for_applied()
    (given,) = widget.evaluate("() => window.results")
    assert given["rows"][0]["orders.status"] == "paid"
    assert given["rows"][0]["orders.ordered_on"] == "2026-04-03"

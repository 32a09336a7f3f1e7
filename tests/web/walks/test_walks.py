"""From a file to the receiver, as a person does it."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from tests.web.walks.engine import Engine, until
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

FILES = {
    "csv": ("orders-cp1252.csv", "orders"),
    "xlsx": ("stock-two-sheets.xlsx", "stock"),
    "pdf": ("price-list.pdf", "prices"),
}
DONE = {"en": "imported", "de": "importiert"}
# Each kind meets each mode and each language here; `make test-long` walks the other combinations.
USUAL = {("webhook", "en"), ("browser", "de")}
WALKS = [
    pytest.param(*walk, id="-".join(walk), marks=[] if walk[1:] in USUAL else pytest.mark.large)
    for walk in product(FILES, ("webhook", "browser"), DONE)
]


@pytest.mark.parametrize(("kind", "mode", "locale"), WALKS)
def test_a_file_walks_from_drop_to_receiver(
    kind: str, mode: str, locale: str, open_widget: Callable[..., Widget], engine: Engine
) -> None:
    name, catalog = FILES[kind]
    session = {"catalogKey": catalog, "applyMode": mode, "scope": f"{kind}-{mode}-{locale}"}
    widget = open_widget(session=session, locale=locale)

    widget.choose(name)
    widget.go_to("review", "import")
    widget.import_all()
    event = widget.wait_for_applied()

    assert event["catalogKey"] == catalog
    assert event["rowCount"] > 0
    assert widget.element.get_by_role("heading", name=DONE[locale]).first.is_visible()
    assert_rows_arrived(widget, mode, event, engine)


def assert_rows_arrived(widget: Widget, mode: str, event: dict[str, Any], engine: Engine) -> None:
    """Check that the rows are where the mode says, and nowhere else."""
    if mode == "webhook":
        until(lambda: engine.received(event["recordId"]), "the receiver has the rows")
        (arrived,) = engine.received(event["recordId"])
        assert arrived["verified"]
        assert arrived["rowCount"] == event["rowCount"]
        assert widget.evaluate("() => window.results") == []
        return
    (given,) = widget.evaluate("() => window.results")
    assert given["recordId"] == event["recordId"]
    assert len(given["rows"]) == given["rowCount"] == event["rowCount"]
    assert engine.received(event["recordId"]) == []


def test_the_engine_speaks_the_language_of_the_widget_not_of_the_browser(
    open_widget: Callable[..., Widget],
) -> None:
    text = "Order number,Ordered on,Customer,Article,Quantity,Unit price,Status\n"
    text += "A-1,31/31/2026,Nordlicht,LX-100,2,19.90,open\n"
    file = {"name": "orders.csv", "mimeType": "text/csv", "buffer": text.encode()}
    widget = open_widget(session={"catalogKey": "orders"}, locale="de", show_all_steps="")

    widget.choose(file)
    widget.go_to("columns")
    widget.element.get_by_text("Gleicher Name").first.wait_for()
    widget.go_to("review")

    cell = widget.element.get_by_role("gridcell", name="31/31/2026")
    cell.click()
    widget.element.get_by_text("„31/31/2026“ ist kein Datum").first.wait_for(state="attached")

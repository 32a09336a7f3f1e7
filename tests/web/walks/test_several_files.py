"""Two files are dropped as one import, and a person says what each of their tables becomes."""

from collections.abc import Callable

import pytest

from tests.web.walks.test_accessibility import violations
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

ORDERS = "Order number,Client,Ordered on,Article,Quantity,Unit price,Status\n" + "".join(
    f"A-{n},C{n % 2},2026-02-03,LX-100,2,19.90,open\n" for n in range(4)
)
CLIENTS = "No,Customer,City\nC0,Ada,Oslo\nC1,Bob,Rom\nC2,Cy,Bonn\n"
FILES = [
    {"name": name, "mimeType": "text/csv", "buffer": text.encode()}
    for name, text in (("orders.csv", ORDERS), ("clients.csv", CLIENTS))
]


def test_files_dropped_together_are_joined_in_the_step_of_tables(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "several"})
    widget.until(widget.is_ready, "the widget is ready")
    widget.element.locator("input[type=file]").first.set_input_files(FILES)  # type: ignore[arg-type]  # payloads
    widget.go_to("table")
    plan = widget.element.get_by_role("region", name="What each table becomes")
    plan.wait_for()
    assert violations(widget) == []
    clients = plan.get_by_role("combobox", name="clients.csv")
    assert clients.input_value() == "ignore"

    clients.select_option("orders.csv with clients.csv: Client = No, 100% match")

    widget.element.get_by_text("1 row of clients.csv without a match in orders.csv.").wait_for()
    assert widget.element.get_by_role("cell", name="Bob").count() == 2
    assert plan.get_by_role("combobox", name="clients.csv").input_value().startswith("join:")

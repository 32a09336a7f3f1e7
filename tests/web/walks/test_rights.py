"""A page without rights is offered nothing that the engine would refuse it."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Response

from tests.web.walks.engine import Engine, until
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

HEAD = "Order number,Ordered on,Customer,Article,Quantity,Unit price,Status\n"
GOOD = "A-1,2026-02-03,Ada,LX-100,2,19.90,open\nA-2,2026-02-04,Bob,LX-200,1,7.25,waiting\n"
WRONG = "A-3,2026-02-05,Cyd,LX-300,many,3.10,paid\n# a note\n"
FILE = {"name": "orders.csv", "mimeType": "text/csv", "buffer": (HEAD + GOOD).encode()}
BARE = {"catalogKey": "orders", "scope": "rights", "invalidRows": [], "rights": []}
REFUSED = (
    "Cancel", "Discard the import", "Undo", "Redo", "Find and replace", "Split, join, fill…",
    "Exclude row", "Restore this row", "Clear these cells", "Upload corrected file", "Set",
    "Include rows with errors…", "Revert",
)  # fmt: skip


@pytest.fixture
def open_bare(open_widget: Callable[..., Widget]) -> Iterator[Callable[..., Widget]]:
    """Return a function that opens the widget in a session without rights; no call is refused."""
    refused: list[str] = []

    def note(response: Response) -> None:
        if response.status == 403:
            refused.append(f"{response.request.method} {response.url}")

    def open_one(**about: str) -> Widget:
        widget = open_widget(session=BARE, display="modal", **about)
        widget.page.on("response", note)
        widget.page.reload()
        widget.evaluate("() => document.querySelector('service-import').open()")
        return widget

    yield open_one
    assert refused == []


def hosts_import(engine: Engine) -> str:
    """Have the host's server bring an import of the scope to review, and change a row of it."""
    body = {"catalogKey": "orders", "scope": "rights", "autoMap": True}
    text = "Orders of March\n\n" + HEAD + GOOD + WRONG
    made = engine.call("post", "imports", json={**body, "text": text}).json()
    path = f"imports/{made['recordId']}"
    until(lambda: engine.call("get", path).json()["state"] == "review", "the rows are there")
    change = {"row": 0, "field": "orders.customer", "text": "Ada L."}
    edit = {"revision": engine.call("get", path).json()["revision"], "edits": [change]}
    assert engine.call("patch", f"{path}/rows", json=edit).ok
    return str(made["recordId"])


def offers_nothing_refused(widget: Widget, *allowed: str) -> None:
    """See that none of the buttons is there whose calls the session may not make."""
    assert [name for name in REFUSED if widget.button(name).count()] == [*allowed]


def answer(widget: Widget) -> None:
    """Say in the review what the unknown text means, as the question offers it."""
    question = widget.element.get_by_role("region", name=re.compile("Question")).first
    question.get_by_role("button", name="Open").click()
    widget.element.get_by_role("button", name="Use “").click()
    widget.until(lambda: question.count() == 0, "the question is answered")


def leave(widget: Widget) -> None:
    """Ask to close the dialog."""
    widget.button("Close").click()
    widget.heading("Leave this import?").wait_for()


def test_of_the_hosts_import_a_page_without_rights_can_do_what_it_is_offered(
    open_bare: Callable[..., Widget], engine: Engine
) -> None:
    widget = open_bare(record_id=hosts_import(engine))
    widget.until(lambda: widget.step == "review", "the review is there, without a screen of values")
    group = widget.element.get_by_role("button", name=re.compile("^Quantity"))
    group.click()
    offers_nothing_refused(widget)
    widget.element.get_by_role("gridcell", name="Cyd").click()
    widget.page.keyboard.press("Control+z")
    widget.page.keyboard.press("Enter")
    offers_nothing_refused(widget)

    widget.evaluate("() => document.querySelector('service-import').goTo('table')")
    widget.heading("Which row contains the column names?").wait_for()
    widget.until(lambda: widget.element.get_by_role("radio").count() > 0, "rows are shown")
    assert widget.element.get_by_role("radio").count() == 2  # the title, and the header in use
    offers_nothing_refused(widget)
    widget.evaluate("() => document.querySelector('service-import').goTo('columns')")
    widget.heading("Match your columns").wait_for()
    offers_nothing_refused(widget)
    widget.primary.first.click()

    widget.until(lambda: widget.step == "review", "the review is there again")
    answer(widget)
    widget.element.get_by_text("1 row has errors and must be corrected first.").wait_for()
    leave(widget)
    offers_nothing_refused(widget, "Undo")  # of its own answer
    widget.button("Keep for later").click()


def test_its_own_import_a_page_without_rights_undoes_discards_and_applies(
    open_bare: Callable[..., Widget],
) -> None:
    widget = open_bare()
    widget.choose(FILE)
    widget.go_to("review")
    answer(widget)
    undo = widget.button("Undo").first
    widget.until(lambda: undo.count() and undo.is_enabled(), "the answer can be undone")
    undo.click()
    widget.element.get_by_role("region", name=re.compile("Question")).first.wait_for()
    redo = widget.button("Redo")
    widget.until(lambda: redo.count() and redo.is_enabled(), "it can be done again")
    redo.click()
    widget.until(lambda: redo.count() == 0, "it is done again")
    leave(widget)
    assert widget.button("Discard the import").is_visible()
    widget.button("Stay here").click()

    widget.until(lambda: widget.button("Import all 2 rows").is_enabled(), "all is answered")
    widget.import_all()

    widget.wait_for_applied()
    widget.heading("2 rows").first.wait_for()
    assert widget.button("Revert").count() == 0

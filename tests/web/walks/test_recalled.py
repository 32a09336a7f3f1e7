"""What an earlier import answered is told as recalled, and is answered otherwise where one may."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.web.walks.engine import Engine, until
from tests.web.walks.test_accessibility import violations
from tests.web.walks.test_answers import UNKNOWN, csv
from tests.web.walks.test_editor import publish
from tests.web.walks.test_rights import FILE, answer
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

AMOUNTS = "Kunde;Betrag\nAda;10,50\nBob;20,75\nCyd;3,10\n"
ADA = {"id": "user:1", "label": "Ada"}
SESSION: dict[str, Any] = {"catalogKey": "orders", "scope": "recalled", "actor": ADA}
BARE: dict[str, Any] = {**SESSION, "invalidRows": []}


def recalled_note() -> re.Pattern[str]:
    """Return the text at the answer; it was given a moment ago, or yesterday around midnight."""
    return re.compile(rf"As answered on \w+ \d+, {datetime.now(UTC):%Y} by Ada")


def in_review(open_widget: Callable[..., Widget], session: dict[str, Any]) -> Widget:
    """Take the file in, and go on to its review."""
    widget = open_widget(session=session)
    widget.choose(FILE)
    widget.go_to("review")
    return widget


def change(widget: Widget) -> None:
    """Answer otherwise than before."""
    entry = widget.element.get_by_role("region", name="Answered before")
    entry.get_by_role("button", name="Change").click()
    question = widget.element.get_by_role("region", name=re.compile("^Question"))
    question.get_by_role("button", name="Paid").click()
    widget.element.get_by_role("button", name="Use “Paid”").click()
    widget.until(lambda: entry.count() == 0, "the answer is this import's own")


def test_a_recalled_answer_says_when_and_by_whom_and_can_be_changed(
    open_widget: Callable[..., Widget],
) -> None:
    first = in_review(open_widget, BARE)
    answer(first)
    first.import_all()
    first.wait_for_applied()

    widget = in_review(open_widget, SESSION)
    entry = widget.element.get_by_role("region", name="Answered before")
    entry.get_by_text("What does “waiting” mean in Status?").wait_for()
    assert entry.get_by_text("Open", exact=True).is_visible()
    assert entry.get_by_text(recalled_note()).is_visible()
    assert violations(widget) == []

    change(widget)
    undo = widget.button("Undo").first
    widget.until(undo.is_enabled, "it can be undone")
    undo.click()
    entry.get_by_text(recalled_note()).wait_for()

    bare = in_review(open_widget, BARE)
    refused: list[str] = []
    bare.page.on(
        "response",
        lambda response: refused.append(response.url) if response.status == 403 else None,
    )
    change(bare)  # to what the question offers: that needs no right
    assert refused == []


def settle_everything(widget: Widget) -> None:
    """Decide about columns, a value and dates, and import the file."""
    widget.choose(csv(UNKNOWN))
    widget.go_to("columns")
    widget.element.get_by_label("Field for Article").select_option(label="Article *")
    widget.primary.first.click()
    widget.element.get_by_role("combobox", name="waiting").select_option(label="Open")
    widget.primary.first.click()
    widget.go_to("review")
    widget.element.get_by_role("button", name="Month first").first.click()
    widget.element.get_by_role("button", name="Use “Month first").click()
    widget.import_all()
    widget.wait_for_applied()


def test_the_review_says_what_was_set_up_as_last_time(open_widget: Callable[..., Widget]) -> None:
    session = {**SESSION, "scope": "as last time"}
    settle_everything(open_widget(session=session, show_all_steps=""))
    widget = open_widget(session=session)

    widget.choose(csv(UNKNOWN))

    widget.go_to("review")
    line = "Set up as last time: 7 columns, 1 value, month first."
    widget.element.get_by_text(line).wait_for()
    widget.element.locator(".facts").get_by_role("button", name="Change").click()
    widget.until(lambda: widget.step == "columns", "the columns are shown")


def answered_by_the_host(engine: Engine) -> None:
    """Have the host's server say which field a column feeds, and apply the import."""
    body = {"catalogKey": "money", "scope": "recalled", "text": AMOUNTS}
    path = f"imports/{engine.call('post', 'imports', json=body).json()['recordId']}"

    def comes_to(state: str) -> None:
        until(lambda: engine.call("get", path).json()["state"] == state, f"it is in {state}")

    comes_to("mapping")
    questions = engine.call("get", f"{path}/questions?state=open").json()["items"]
    (column,) = [item for item in questions if item["kind"] == "column"]
    answer = {"value": "money.net"}
    assert engine.call("post", f"questions/{column['id']}/answer", json=answer).ok
    proposed = engine.call("get", f"{path}/mapping").json()["proposed"]
    settled = {**proposed, "allowMissing": True, "remember": False}
    assert engine.call("put", f"{path}/mapping", json=settled).ok
    comes_to("review")
    assert engine.call("post", f"{path}/apply", json={"applyMode": "browser"}).ok
    comes_to("applied")


def test_a_column_says_that_the_host_answered_for_it_before(
    open_widget: Callable[..., Widget], engine: Engine
) -> None:
    labels = {"customer": "Customer", "net": "Net amount", "gross": "Gross amount"}
    kinds = {"net": "float", "gross": "float"}
    fields = [
        {"key": key, "label": label, "columnType": kinds.get(key, "string")}
        for key, label in labels.items()
    ]
    publish(engine, "money", title="Money", entries=[{"id": "money", "fields": fields}])
    answered_by_the_host(engine)

    widget = open_widget(session={**SESSION, "catalogKey": "money"}, show_all_steps="")
    widget.choose({"name": "m.csv", "mimeType": "text/csv", "buffer": AMOUNTS.encode()})
    widget.go_to("columns")

    row = widget.element.get_by_role("listitem").filter(has_text="Betrag")
    row.get_by_text(re.compile(r"As answered on .* by the application")).wait_for()
    assert row.get_by_role("combobox").input_value() == "money.net"

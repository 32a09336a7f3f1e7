"""The widget tells the engine how long each step was seen, unless its page turns that off."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.walks.engine import Engine, until
from tests.web.walks.test_pages import orders
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web


def reported(widget: Widget) -> list[dict[str, Any]]:
    """Return a list that grows with what the widget reports."""
    sent: list[dict[str, Any]] = []
    widget.page.on(
        "request",
        lambda call: sent.append(call.post_data_json) if call.url.endswith("/steps") else None,
    )
    return sent


def seen(engine: Engine, step: str) -> int:
    """Return how often the analytics of the catalog say that a step was seen."""
    screens = engine.call("GET", "catalogs/orders/analytics").json()["screens"]
    return sum(item["seen"] for item in screens if item["step"] == step)


def test_steps_that_were_seen_are_in_the_analytics(
    open_widget: Callable[..., Widget], engine: Engine
) -> None:
    before = {step: seen(engine, step) for step in ("columns", "review")}
    widget = open_widget(session={"catalogKey": "orders"}, show_all_steps="")
    sent = reported(widget)
    widget.choose(orders())
    widget.go_to("review")
    until(lambda: seen(engine, "columns") == before["columns"] + 1, "the columns were reported")

    widget.page.goto("about:blank")

    until(lambda: seen(engine, "review") == before["review"] + 1, "the closed page was reported")
    # The upload is reported where its import was known before the next step showed.
    later = [(body["step"], body["left"]) for body in sent if body["step"] != "upload"]
    assert later == [("table", False), ("columns", False)]
    assert {name for body in sent for name in body} == {"step", "seconds", "left"}


def test_a_page_turns_the_reports_off(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders"}, no_step_times="")
    sent = reported(widget)
    widget.choose(orders())
    widget.go_to("review")
    widget.import_all()
    widget.wait_for_applied()

    assert sent == []

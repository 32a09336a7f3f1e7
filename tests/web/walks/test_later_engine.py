"""An engine of a later version answers with words that the widget does not know."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Error, Route

from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

IMPORT = re.compile(r"/imports/rec_\w+(\?.*)?$")
QUESTIONS = re.compile(r"/imports/rec_\w+/questions\?.*$")
UNIT = {
    "id": "qst_00000000000000000000000000",
    "kind": "unit",
    "state": "open",
    "field": "orders.quantity",
    "columns": ["Quantity"],
    "evidence": ["2 kg"],
    "candidates": [
        {"value": "kg", "label": "Kilograms", "score": None, "effect": "Keep the numbers."},
        {"value": "lb", "label": "Pounds", "score": None, "effect": "Convert the numbers."},
    ],
    "default": "kg",
    "answer": None,
    "answeredAt": None,
    "answeredBy": None,
    "blocking": False,
    "learnedFrom": "",
    "recalled": None,
    "subject": "",
}


def change(widget: Widget, path: re.Pattern[str], changed: Callable[[Any], Any]) -> None:
    """Change what the engine answers to GET requests of a path."""

    def answer(route: Route) -> None:
        with suppress(Error):  # the page may close while a response is on its way
            response = route.fetch()
            if route.request.method != "GET" or not response.ok:
                return route.fulfill(response=response)
            return route.fulfill(response=response, json=changed(response.json()))

    widget.page.route(path, answer)


def test_a_state_that_is_not_known_is_named_and_can_be_looked_at_again(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders"})
    change(widget, IMPORT, lambda record: {**record, "state": "archived"})

    widget.choose("orders-cp1252.csv")

    widget.element.get_by_text("Its state is “archived”. Nothing is lost.").wait_for()
    assert widget.heard("import-error")[-1]["code"] == "unknown_state"
    widget.page.unroute(IMPORT)
    widget.button("Try again").click()
    widget.go_to("table", "columns", "review")


def test_a_question_of_a_kind_that_is_not_known_is_asked_in_the_words_of_the_engine(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "later"})
    change(widget, QUESTIONS, lambda page: {**page, "items": [*page["items"], UNIT]})

    widget.choose("orders-cp1252.csv")
    widget.go_to("review")

    question = widget.element.locator(".question").filter(has_text="2 kg")
    question.get_by_text("How should Quantity be read?").wait_for()
    assert question.get_by_text("Convert the numbers.").is_visible()
    for label in ("Kilograms", "Pounds"):
        widget.until(question.get_by_role("button", name=label).is_enabled, f"{label} can be tried")

"""A part of the element that fails to load is reported, and loads on the next request."""

import re
from collections.abc import Callable

import pytest

from tests.web.walks.test_pages import code_of, orders
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

PARTS = re.compile(r"/elements/chunks/(?!shell)")


@pytest.fixture
def without_parts(open_widget: Callable[..., Widget]) -> Widget:
    """Open a page whose further scripts fail to load."""
    widget = open_widget(session={"catalogKey": "orders"})
    widget.until(widget.is_ready, "the widget is ready")
    widget.page.route(PARTS, lambda route: route.abort())
    return widget


def test_a_step_that_does_not_load_says_so_and_is_loaded_again(without_parts: Widget) -> None:
    widget = without_parts
    widget.button("Enter rows by hand").click()
    assert code_of(widget) == "unreachable"
    widget.element.get_by_role("alert").wait_for()
    assert widget.button("Enter rows by hand").is_visible()

    widget.page.unroute(PARTS)
    widget.button("Try again").click()

    widget.heading("Type your rows").wait_for()
    assert widget.element.get_by_role("alert").count() == 0


def test_a_file_waits_for_the_part_that_sends_it(without_parts: Widget) -> None:
    widget = without_parts
    widget.choose(orders())
    assert code_of(widget) == "unreachable"

    widget.page.unroute(PARTS)
    widget.button("Try again").click()

    widget.go_to("review")

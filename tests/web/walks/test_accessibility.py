"""Accessibility: axe finds nothing, and a keyboard is enough."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.walks.engine import Engine
from tests.web.walks.hosts import AXE
from tests.web.walks.test_answers import BROKEN, come_to_values, try_an_answer
from tests.web.walks.test_pages import orders
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

SCHEMES = ["light", "dark"]
RUN_AXE = """async () => {
  const {violations} = await axe.run('service-import', {resultTypes: ['violations']})
  const told = node => `${node.html.slice(0, 120)} ${node.failureSummary.slice(0, 240)}`
  return violations.map(one => [one.id, ...one.nodes.slice(0, 3).map(told)])
}"""
TABS = 60  # more than any step has


def violations(widget: Widget) -> list[Any]:
    """Run axe over the element; return its findings in short."""
    widget.page.evaluate(AXE.read_text("utf-8"))
    listed: list[Any] = widget.page.evaluate(RUN_AXE)
    return listed


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_on_any_step(scheme: str, open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "stock"}, theme=scheme, show_all_steps="")
    by_step: dict[str, list[Any]] = {}
    widget.until(widget.is_ready, "the widget is ready")
    by_step["upload"] = violations(widget)

    widget.choose("stock-two-sheets.xlsx")
    widget.until(lambda: widget.step != "upload", "the file is read")
    for step in ("table", "columns", "review"):
        at = widget.go_to(step, "review")
        widget.until(lambda: widget.primary.count() > 0, "the step can be left")
        widget.until(widget.is_loaded, "the step shows what it has")
        by_step[at] = violations(widget)
    widget.import_all()
    widget.wait_for_applied()
    by_step["import"] = violations(widget)

    assert {step: wrong for step, wrong in by_step.items() if wrong} == {}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_where_something_went_wrong(
    scheme: str, open_widget: Callable[..., Widget]
) -> None:
    refused = open_widget(key="imp_lic_nonsense", theme=scheme)
    refused.element.get_by_role("alert").first.wait_for()
    broken = open_widget(session={"catalogKey": "orders"}, theme=scheme)
    broken.choose(BROKEN)
    broken.until(lambda: broken.heard("import-error"), "the page hears of trouble")
    several = open_widget(session={}, theme=scheme)
    several.element.get_by_text("orders").first.wait_for()

    assert [violations(widget) for widget in (refused, broken, several)] == [[], [], []]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_where_values_and_answers_are_asked_for(
    scheme: str, open_widget: Callable[..., Widget]
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": scheme}, theme=scheme)
    come_to_values(widget)
    on_questions = violations(widget)

    try_an_answer(widget)

    assert [on_questions, violations(widget)] == [[], []]


def go_offline(widget: Widget, engine: Engine) -> None:
    """Lose the connection in the review, and try to continue."""
    widget.choose(orders())
    widget.go_to("review")
    widget.element.get_by_role("gridcell", name="A-1").wait_for()
    widget.page.context.set_offline(True)
    widget.primary.last.click()


def send_too_much(widget: Widget, engine: Engine) -> None:
    """Send more than the engine of these tests accepts."""
    widget.choose(orders(rows=120_000))


def have_it_deleted(widget: Widget, engine: Engine) -> None:
    """Continue an import that was deleted meanwhile."""
    widget.choose(orders())
    widget.go_to("review")
    widget.element.get_by_role("gridcell", name="A-1").wait_for()
    (record,) = engine.call("GET", "imports?limit=1").json()["items"]
    engine.call("DELETE", f"imports/{record['recordId']}").raise_for_status()
    widget.primary.last.click()


TROUBLES = {
    "You are offline.": (go_offline, "Try again"),
    "This file is too large.": (send_too_much, "Choose another file"),
    "The import was cancelled.": (have_it_deleted, "Choose another file"),
}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("title", TROUBLES)
def test_a_trouble_half_way_is_told_to_everybody_and_its_way_out_is_reached_by_tab(
    title: str, scheme: str, open_widget: Callable[..., Widget], engine: Engine
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "troubled"}, theme=scheme)
    come_to_it, way_out = TROUBLES[title]

    come_to_it(widget, engine)

    widget.element.get_by_text(title).wait_for()
    assert violations(widget) == []
    press_until(widget, way_out)
    widget.page.context.set_offline(False)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_where_leaving_is_asked(
    scheme: str, open_widget: Callable[..., Widget]
) -> None:
    widget = open_widget(session={"catalogKey": "orders"}, theme=scheme)
    widget.choose(orders())
    widget.go_to("review")

    widget.evaluate("() => document.querySelector('service-import').close()")

    widget.button("Stay here").wait_for()
    widget.until(lambda: widget.focused() == "Stay here", "the question has the focus")
    assert violations(widget) == []


def press_until(widget: Widget, name: str) -> list[str]:
    """Press Tab until a control has the focus; return the names on the way."""
    passed: list[str] = []
    for _ in range(TABS):
        widget.page.keyboard.press("Tab")
        passed.append(widget.focused())
        if passed[-1].startswith(name):
            return passed
    raise AssertionError(f"{name!r} is not reached by Tab: {passed}")


def test_a_keyboard_is_enough_for_a_whole_import(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders"})
    widget.until(widget.is_ready, "the widget is ready")

    way = press_until(widget, "Template")
    assert way.index("Choose file") < way.index("Paste from clipboard") < len(way) - 1
    for _ in range(len(way) - 1 - way.index("Choose file")):
        widget.page.keyboard.press("Shift+Tab")
    with widget.page.expect_file_chooser() as opened:
        # An answer of the page comes after it has taken in that file choosers are caught.
        assert widget.focused() == "Choose file"
        widget.page.keyboard.press("Enter")
    opened.value.set_files(orders())  # type: ignore[arg-type]  # a payload, too

    widget.until(lambda: widget.step == "review", "the review is there")
    widget.until(widget.can_go_on, "the review can be left")
    assert widget.evaluate("() => document.activeElement.localName") == "service-import"
    way = press_until(widget, "Import ")
    assert len(way) == len(set(way)) or way.count("") > 0  # no trap: nothing comes round again
    widget.page.keyboard.press("Enter")
    widget.wait_for_applied()

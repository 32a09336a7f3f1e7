"""Rows are sent where the page and its session say, and nowhere else."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.web.walks.engine import Engine
from tests.web.walks.hosts import Host
from tests.web.walks.test_answers import ORDERS, csv
from tests.web.walks.test_pages import code_of, orders
from tests.web.walks.test_rows_done import FILE, Customers
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

SESSION = {"catalogKey": "orders", "applyMode": "browser"}
SET = "(text) => Object.assign(document.querySelector('service-import'), eval(`(${text})`))"


def state_of(engine: Engine) -> dict[str, Any]:
    """Return the last import, as the host sees it."""
    (record,) = engine.call("GET", "imports?limit=1").json()["items"]
    return dict(record)


def test_a_mode_that_does_not_exist_is_told_to_the_developer_at_the_start(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders"}, apply_mode="xyz")

    assert code_of(widget) == "unknown_apply_mode"
    widget.element.get_by_text("applyMode is “xyz”. Use “webhook” or “browser”.").wait_for()

    widget.page.evaluate(SET, "{applyMode: 'webhook'}")
    widget.until(lambda: widget.heard("import-ready"), "the widget is ready")


def test_rows_are_not_applied_for_a_page_that_does_not_take_them(
    open_widget: Callable[..., Widget], engine: Engine
) -> None:
    widget = open_widget(session={**SESSION, "scope": "no-results"})
    widget.page.evaluate(SET, "{onResults: null}")
    widget.choose(orders())
    widget.go_to("review")
    widget.element.get_by_role("gridcell", name="A-1").wait_for()

    widget.primary.last.click()

    assert code_of(widget) == "no_on_results"
    widget.element.get_by_text("set onResults or onResultsChunk").wait_for()
    assert state_of(engine)["state"] == "review"
    assert widget.step == "review"

    widget.page.evaluate(SET, "{onResults: given => { results.push(given) }}")
    widget.import_all()
    assert widget.wait_for_applied()["rowCount"] == 3


def test_rows_that_a_page_fails_to_take_stay_with_the_engine_until_it_takes_them(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={**SESSION, "scope": "throws"})
    widget.page.evaluate(SET, "{onResults: () => { throw new Error('full') }}")
    acknowledged: list[str] = []
    widget.page.on("request", lambda r: acknowledged.append(r.url) if "/ack" in r.url else None)
    widget.choose(orders())
    widget.go_to("review")

    widget.until(lambda: widget.can_go_on(), "the rows can be imported")
    widget.primary.last.click()

    assert code_of(widget) == "results_not_taken"
    widget.element.get_by_text("This page couldn’t receive the rows.").wait_for()
    assert not widget.heard("import-applied")
    assert acknowledged == []
    assert widget.button("Done").is_disabled()

    widget.page.evaluate(SET, "{onResults: given => { results.push(given) }}")
    widget.button("Try again").click()

    assert widget.wait_for_applied()["rowCount"] == 3
    assert len(widget.evaluate("() => window.results")) == 1
    widget.heading("3 rows imported").wait_for()
    assert len(acknowledged) == 1


def test_a_session_of_another_mode_is_followed_half_way(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "switched"})
    widget.choose(orders())
    widget.go_to("review")

    widget.page.evaluate("""() => {
      const widget = document.querySelector('service-import')
      const about = JSON.parse(document.body.dataset.about)
      widget.applyMode = 'browser'
      const body = JSON.stringify({...about.session, applyMode: 'browser'})
      widget.fetchKey = async () => {
        const answer = await fetch('/import-session', {method: 'POST', body})
        return (await answer.json()).token
      }
    }""")
    widget.import_all()

    widget.wait_for_applied()
    assert widget.heard("import-error") == []
    assert len(widget.evaluate("() => window.results")) == 1


def test_the_rows_of_the_demo_go_to_its_page_when_that_is_chosen(
    open_page: Callable[..., Page], engine: Engine
) -> None:
    page = open_page(f"{engine.origin}/demo/")
    page.locator("select[name=catalogKey]").select_option("orders")  # other tests publish, too
    page.evaluate("""() => {
      window.heard = []
      for (const name of ['step', 'applied', 'error', 'ready']) {
        const widget = document.querySelector('service-import')
        widget.addEventListener(`import-${name}`, ({type, detail}) => heard.push({type, detail}))
      }
    }""")
    widget = Widget(page)
    widget.button("Choose file").wait_for()
    page.locator("select[name=applyMode], input[name=applyMode][value=browser]").first.evaluate(
        """e => {
          if (e.type === 'radio') e.checked = true
          else e.value = 'browser'
          e.dispatchEvent(new Event('input', {bubbles: true}))
        }"""
    )
    widget.element.locator("input[type=file]").first.set_input_files(orders())  # type: ignore[arg-type]  # a payload, too
    widget.go_to("review")
    widget.import_all()
    widget.wait_for_applied()

    page.get_by_role("heading", name="onResults: 3 rows").wait_for()
    assert widget.heard("import-error") == []


def test_the_delivery_is_named_where_there_is_one_and_all_where_there_are_several(
    open_widget: Callable[..., Widget], engine: Engine, host: Host
) -> None:
    single = open_widget(session={"catalogKey": "orders", "scope": "one"})
    single.choose(orders())
    single.go_to("review")
    single.import_all()
    event = single.wait_for_applied()
    assert event["deliveryIds"] == [event["deliveryId"]]

    several = open_widget(key=engine.key, catalog_key=Customers(engine, host, "several").publish())
    several.choose(FILE)
    several.go_to("review")
    several.import_all()
    event = several.wait_for_applied()
    assert event["deliveryId"] is None
    assert len(set(event["deliveryIds"])) == 2


def test_an_answer_in_the_review_leaves_the_step_where_it_is(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "answer-steps"})
    widget.choose(csv(ORDERS))
    widget.go_to("review")
    answer = widget.element.get_by_role("button", name="Month first")
    answer.first.click()
    widget.element.get_by_role("button", name="Use “Month first").click()
    widget.until(lambda: answer.count() == 0, "the question is answered")

    steps = [item["step"] for item in widget.heard("import-step")]
    assert steps[steps.index("review") :] == ["review"]
    assert widget.step == "review"

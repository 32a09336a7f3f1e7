"""The page of the demo: rows go where its reader chooses, as often as they choose."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.web.walks.engine import Engine
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web
# The page lists the events for its reader; this keeps them for the test.
HEAR = """() => {
  window.heard = []
  for (const name of ['ready', 'step', 'applied', 'error']) {
    const hear = ({type, detail}) => window.heard.push({type, detail})
    document.querySelector('service-import').addEventListener(`import-${name}`, hear)
  }
}"""
FORGET = "() => { window.heard.length = 0; document.querySelector('#results').replaceChildren() }"


def test_rows_go_to_the_page_twice_and_then_to_the_webhook(
    open_page: Callable[..., Page], engine: Engine
) -> None:
    page = open_page(f"{engine.origin}/demo/")
    widget = Widget(page)
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status == 403 else None)
    page.evaluate(HEAR)

    handed_over = []
    for receiver in ("this page", "this page", "the webhook"):
        page.get_by_role("radio", name=receiver).check()
        page.evaluate(FORGET)
        page.locator("[data-example]").first.click()
        widget.until(lambda: widget.heard("import-step"), "the file is read")
        widget.go_to("review")
        widget.import_all()
        handed_over.append(page.locator("#results h3").count())

    assert handed_over == [1, 1, 0]
    assert refused == []

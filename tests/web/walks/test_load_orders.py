"""What a page sets on the element applies, whether the element is defined already or not."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.web.walks.engine import Engine
from tests.web.walks.hosts import Host
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

SET = """
const session = async () => {
  const body = JSON.stringify({catalogKey: 'orders', applyMode: 'browser'})
  const answer = await fetch('/import-session', {method: 'POST', body})
  return (await answer.json()).token
}
window.heard = []
const given = {
  apiBaseUrl: ENGINE, fetchKey: session, context: {tab: 1}, onResults() {}, onResultsChunk() {},
  onRows: () => ({}),
  theme: 'dark', locale: 'de', applyMode: 'browser', maxFileSize: 7, showAllSteps: true,
  accept: '.csv', display: 'inline', messages: {drop_title: 'Hierher'},
}
const listen = widget => {
  for (const name of ['ready', 'error']) {
    widget.addEventListener(`import-${name}`, ({type, detail}) => heard.push({type, detail}))
  }
  return widget
}
const set = (widget, what = given) => Object.assign(listen(widget), what)
const made = () => document.createElement('service-import')
const put = widget => document.querySelector('main').append(widget)
const defined = customElements.whenDefined('service-import')
const load = () => {
  const script = document.createElement('script')
  script.type = 'module'
  script.src = ENGINE + '/elements/service-import.js'
  document.head.append(script)
}
"""
MARKUP = "put(made()); const widget = document.querySelector('service-import'); "
ORDERS = {
    "in the markup, before the script": MARKUP + "set(widget); load()",
    "made and shown, before the script": "const widget = set(made()); put(widget); load()",
    "made before the script, shown after it": (
        "const widget = set(made()); load(); await defined; put(widget)"
    ),
    "made and shown, after the script": "load(); await defined; put(set(made()))",
    "shown first, after the script": (
        "load(); await defined; const widget = made(); put(widget); set(widget)"
    ),
    "in the markup, after the script": MARKUP + "load(); await defined; set(widget)",
    "a template, before the script": (
        "const t = document.createElement('template');"
        " t.innerHTML = '<service-import theme=\"light\"></service-import>';"
        " const widget = set(t.content.firstChild); load(); await defined; put(widget)"
    ),
    "before the script, and again after it": (
        MARKUP + "const old = {theme: 'light', fetchKey: async () => 'old', context: {tab: 0}};"
        " set(widget, {...given, ...old}); load(); await defined; Object.assign(widget, given)"
    ),
}
KEPT = """() => {
  const widget = document.querySelector('service-import')
  const told = value => (typeof value === 'function' ? value : JSON.stringify(value))
  return Object.keys(given).filter(name => told(widget[name]) !== told(given[name]))
}"""


@pytest.mark.parametrize("order", ORDERS)
def test_a_property_is_kept_in_every_order_of_loading(
    order: str, host: Host, engine: Engine, open_page: Callable[..., Page]
) -> None:
    script = f"const ENGINE = {json.dumps(engine.origin)}\n{SET}{ORDERS[order]}"
    name = list(ORDERS).index(order)
    source = host.put(f"/order-{name}.js", script + "; window.given = given", "text/javascript")
    page = '<!doctype html><title>Host</title><link rel="icon" href="data:,"><main></main>'
    url = host.put(f"/order-{name}", f'{page}<script type="module" src="{source}"></script>')

    widget = Widget(open_page(url))
    widget.until(lambda: widget.heard("import-ready"), "the widget has its session")

    assert widget.evaluate(KEPT) == []
    assert widget.heard("import-error") == []
    widget.element.get_by_text("Hierher").wait_for()
    assert widget.element.get_attribute("theme") == "dark"

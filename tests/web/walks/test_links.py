"""A link's whole life: created by a host, opened, used to a verified delivery, refused, revoked."""

import base64
import io
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page

from licensing.tokens.keys import HOSTED_LINKS
from tests.web.walks.engine import WAIT_S, Engine, until
from tests.web.walks.hosts import AXE
from tests.web.walks.test_customers import HEAR
from tests.web.walks.widget import EXAMPLES, Widget

pytestmark = pytest.mark.web

PICTURES = os.environ.get("LINK_PICTURES", "")  # a folder, to look at what the walk saw
SIZES = {390: 844, 1280: 860}
RUN_AXE = """async () => {
  const {violations} = await axe.run({resultTypes: ['violations']})
  return violations.map(each => [each.id, ...each.nodes.slice(0, 3).map(node => node.html)])
}"""
DROP = """([content, name]) => {
  const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0))
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([bytes], name, {type: 'text/csv'}))
  const shown = document.querySelector('service-import').shadowRoot
  const about = {dataTransfer, bubbles: true, composed: true, cancelable: true}
  for (const type of ['dragenter', 'dragover', 'drop']) {
    shown.querySelector('[part~=dropzone]').dispatchEvent(new DragEvent(type, about))
  }
}"""
ORDERS = EXAMPLES / "orders-cp1252.csv"
SHOWN = re.compile(r"https?://(?!127\.0\.0\.1)")


def logo() -> str:
    """Return a small picture as a data URI."""
    file = io.BytesIO()
    Image.new("RGB", (160, 40), "#0a7d55").save(file, "PNG")
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"


class LinkHost:
    """A host's server that creates links, with calls as `curl` makes them."""

    def __init__(self, engine: Engine) -> None:
        self.url = f"{engine.origin}/api/import/v1/links"
        self._headers = {"Authorization": f"Bearer {engine.full_key(HOSTED_LINKS)}"}

    def create(self, **about: Any) -> dict[str, Any]:
        """Create a link."""
        page = {"name": "Northwind Trading", "logo": logo(), "accent": "#ffcc00"}
        wanted = {"catalogKey": "orders", "page": page, **about}
        answer = requests.post(self.url, headers=self._headers, json=wanted, timeout=60)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    def read(self, link: dict[str, Any]) -> dict[str, Any]:
        """Read a link."""
        url = f"{self.url}/{link['id']}"
        seen: dict[str, Any] = requests.get(url, headers=self._headers, timeout=60).json()
        return seen

    def revoke(self, link: dict[str, Any]) -> None:
        """Revoke a link."""
        url = f"{self.url}/{link['id']}"
        assert requests.delete(url, headers=self._headers, timeout=60).status_code == 204


@pytest.fixture(scope="module")
def links(engine: Engine) -> LinkHost:
    """Return a host of the demo's tenant, which has a catalog and a receiver."""
    return LinkHost(engine)


@pytest.fixture
def person(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens an address in the browser of another person."""
    opened: list[BrowserContext] = []

    def open_it(link: dict[str, Any], **about: Any) -> Page:
        usual = {"viewport": {"width": 1280, "height": 860}, "locale": "en-GB"}
        context = browser.new_context(**{**usual, **about})
        context.add_init_script(HEAR)
        context.set_default_timeout(WAIT_S * 1000)
        opened.append(context)
        page = context.new_page()
        page.goto(link["url"])
        return page

    yield open_it
    for context in opened:
        context.close()


def look(page: Page, name: str) -> None:
    """Assert that axe finds nothing and nothing is cut off, in both schemes and sizes."""
    page.evaluate(AXE.read_text("utf-8"))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of its literals
        for width, height in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(300)
            if PICTURES:
                page.screenshot(path=Path(PICTURES) / f"{name}-{width}-{scheme}.png")
            assert page.evaluate(RUN_AXE) == [], (name, scheme, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
    page.emulate_media(color_scheme="light")


def drop(widget: Widget, file: Path) -> None:
    """Drop a file on the widget, as from a folder."""
    widget.until(widget.is_ready, "the widget is ready")
    content = base64.b64encode(file.read_bytes()).decode()
    widget.page.evaluate(DROP, [content, file.name])


def test_a_link_is_used_to_a_verified_delivery_by_one_browser(
    links: LinkHost, person: Callable[..., Page], engine: Engine
) -> None:
    link = links.create(withCode=True, scope="walked", meta={"ticket": 7})
    page = person(link)
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    look(page, "start")
    page.get_by_label("Your code").fill("x")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("alert").filter(has_text="4 tries left").wait_for()
    look(page, "wrong-code")
    page.get_by_label("Your code").fill(link["code"])
    page.get_by_role("button", name="Start").click()

    widget = Widget(page)
    widget.until(widget.is_ready, "the widget is ready")
    look(page, "import")
    drop(widget, ORDERS)
    widget.go_to("review")
    widget.until(widget.is_loaded, "the rows are shown")
    look(page, "review")

    other = person(link)
    other.get_by_role("heading", name="already in use").wait_for()
    look(other, "used")
    page.close()
    again = page.context.new_page()  # the same browser, after its tab was closed
    again.goto(link["url"])
    widget = Widget(again)
    widget.until(lambda: widget.step == "review", "the import goes on in the review")
    widget.import_all()
    event = widget.wait_for_applied()
    widget.element.get_by_text("The delivery is confirmed").wait_for()
    look(again, "done")

    received = engine.received(event["recordId"])
    assert [item["verified"] for item in received] == [True]
    again.reload()
    again.get_by_role("heading", name="Your import was sent").wait_for()
    look(again, "sent")
    seen = links.read(link)
    assert [item["state"] for item in seen["imports"]] == ["applied"]
    assert {item["kind"] for item in seen["events"]} == {
        "link.created", "link.opened", "link.used", "link.import-started"
    }  # fmt: skip
    assert [url for url in asked_for if SHOWN.match(url)] == []


@pytest.mark.parametrize("about", [{}, {"scope": "two-links"}])
def test_two_links_in_one_browser_keep_their_imports_apart(
    about: dict[str, str], links: LinkHost, person: Callable[..., Page]
) -> None:
    first, second = links.create(**about), links.create(**about)
    page = person(first)
    page.get_by_role("button", name="Start").click()
    widget = Widget(page)
    drop(widget, ORDERS)
    widget.go_to("review")

    page.goto(second["url"])
    page.get_by_role("button", name="Start").click()
    widget.until(widget.is_ready, "the widget is ready")
    widget.element.get_by_role("button", name="Choose file", exact=True).first.wait_for()
    assert widget.element.get_by_text("deleted").count() == 0
    assert widget.element.get_by_text("Resume").count() == 0

    page.goto(first["url"])
    widget.until(lambda: widget.step == "review", "the first import goes on")


def test_a_revoked_link_stops_a_page_that_is_open_and_says_so(
    links: LinkHost, person: Callable[..., Page]
) -> None:
    link = links.create(kind="dated")
    page = person(link)
    page.get_by_role("button", name="Start").click()
    widget = Widget(page)
    widget.until(widget.is_ready, "the widget is ready")

    links.revoke(link)
    widget.choose("orders-cp1252.csv")
    page.get_by_role("heading", name="This link was withdrawn").wait_for()
    look(page, "revoked")

    other = person(link)
    other.get_by_role("heading", name="This link was withdrawn").wait_for()
    until(lambda: links.read(link)["state"] == "revoked", "the link is revoked")
    assert links.read(link)["imports"] == []


def test_a_guessed_address_shows_a_page_that_names_no_tenant(
    links: LinkHost, person: Callable[..., Page]
) -> None:
    link = links.create()
    page = person({"url": link["url"][:-6] + "aaaaaa"})

    page.get_by_role("heading", name="Page not found").wait_for()
    assert "Northwind" not in page.content()
    look(page, "missing")


def test_a_page_in_german_is_german_to_its_widget(
    links: LinkHost, person: Callable[..., Page]
) -> None:
    link = links.create(page={"name": "Nordwind", "language": "de"})
    page = person(link)
    page.get_by_role("button", name="Starten").click()

    widget = Widget(page)
    widget.until(widget.is_ready, "the widget is ready")
    assert page.locator("html").get_attribute("lang") == "de"
    widget.element.get_by_text("Vorlage").first.wait_for()

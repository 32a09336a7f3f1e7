"""The documentation as it is served at /docs: under the policy of the engine, in a real browser."""

import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from common.http.middleware import DATA, PAGES
from scripts.build_docs import build
from tests.web.browsing import StrictPages

pytestmark = pytest.mark.web
EVERY_PROBLEM = 20


class Served(StrictPages):
    """The files of the site with the policies of the engine."""

    def send_header(self, keyword: str, value: str) -> None:
        """Put the policy that the engine gives to a page, or to anything else."""
        if keyword == "Content-Security-Policy":
            value = PAGES if self.path.endswith((".html", "/")) else DATA
        super().send_header(keyword, value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "site"
    build(folder)
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Served, directory=str(site)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_a_search_finds_a_page_under_the_policy(page: Page, address: str) -> None:
    page.goto(f"{address}/index.html")

    page.click(".md-search__input")
    page.type(".md-search__input", "no_webhook_registered")

    first = page.locator(".md-search-result__item a").first
    expect(first).to_have_attribute("href", re.compile(r"/problems/no_webhook_registered\.html"))


def visited(site: Path) -> list[Path]:
    """
    Return the pages to open: every guide, and some of the problems.

    The pages of problems are made from one template, and the build compares all of them with the
    policy.
    """
    pages = sorted(site.glob("[!4]*.html")) + sorted(site.glob("[!a]*/*.html"))
    problems = [page for page in pages if page.parent.name == "problems"]
    return [page for page in pages if page not in problems] + problems[::EVERY_PROBLEM]


def test_no_page_breaks_the_policy_or_asks_another_origin(
    page: Page, site: Path, address: str
) -> None:
    messages: list[str] = []
    addresses: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: addresses.append(request.url))

    for file in visited(site):
        page.goto(f"{address}/{file.relative_to(site).as_posix()}")
        expect(page.locator("h1").first).to_be_visible()

    assert messages == []
    assert [url for url in addresses if not url.startswith(address)] == []


def test_the_dark_scheme_is_kept_from_page_to_page(page: Page, address: str) -> None:
    page.goto(f"{address}/index.html")
    page.locator("label[title='Switch to dark mode']").click()
    page.goto(f"{address}/api.html")

    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")

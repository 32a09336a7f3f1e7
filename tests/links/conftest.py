"""A host that creates links, and browsers that open them."""

import pytest
from django.core.cache import cache
from django.test import Client

from links.models import Link
from tests.imports.conftest import owner, publish

__all__ = ["owner", "publish"]  # fixtures

V1 = "/api/import/v1"
ORIGIN = "http://testserver"
TEXT = "Artikel,Menge\nA,1\n"


class Browser(Client):
    """A person's browser: it keeps cookies, and its page asks for sessions."""

    def visit(self, link: dict):
        return self.get(path_of(link))

    def open(self, link: dict, **form):
        self.visit(link)
        return self.post(path_of(link), form)

    def session(self, link: dict, *, origin: str = ORIGIN):
        return self.post(f"{path_of(link)}/session", HTTP_ORIGIN=origin)


def path_of(link: dict) -> str:
    return link["url"].removeprefix("http://testserver")


def stored(link: dict) -> Link:
    return Link.objects.get(public_id=link["id"])


@pytest.fixture(autouse=True)
def no_calls_so_far() -> None:
    cache.clear()


@pytest.fixture
def host(mint_key, client_of, publish):
    """Return the host's server, with the catalogs ``orders`` and ``prices``."""
    publish("orders")
    publish("prices")
    return client_of(mint_key(entitlements=("hostedLinks",)))


@pytest.fixture
def create(host):
    """Return a function that creates a link, and returns it as the API shows it."""

    def create_one(**wanted) -> dict:
        about = {"catalogKey": "orders", "page": {"name": "Northwind"}, **wanted}
        answer = host.post(f"{V1}/links", about, format="json")
        assert answer.status_code == 201, answer.content
        return answer.json()

    return create_one


@pytest.fixture
def read(host):
    """Return a function that reads a link again."""
    return lambda link: host.get(f"{V1}/links/{link['id']}").json()


@pytest.fixture
def visitor(client_of):
    """Return a function that opens a link in a new browser, and returns the page's API client."""

    def open_it(link: dict, browser: Browser | None = None):
        browser = browser or Browser()
        browser.open(link)
        page = client_of(browser.session(link).json()["token"])
        page.browser = browser
        return page

    return open_it


def start(page, **members):
    return page.post(f"{V1}/imports", {"text": TEXT, **members}, format="json")

"""One browser for all tests of a run, and a fresh context for each page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.web.browsing import built_pages, launched, served

expect.set_options(timeout=30_000)  # states are waited for, also on a busy machine


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield the running browser."""
    with sync_playwright() as playwright:
        opened = launched(playwright)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the URL of the pages of ``frontend/tests/pages``, under a strict policy."""
    with served(built_pages(tmp_path_factory.mktemp("pages"))) as address:
        yield address

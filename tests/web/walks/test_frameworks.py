"""The element on pages of React, Vue and Angular: properties in, events out."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.web.browsing import built_pages
from tests.web.walks.hosts import Host
from tests.web.walks.test_pages import orders
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory, host: Host) -> str:
    """Build the pages' scripts and serve them; return the URL of their folder."""
    folder = built_pages(tmp_path_factory.mktemp("frameworks"), "frameworks")
    for file in folder.glob("*.js"):
        host.put(f"/frameworks/{file.name}", file.read_text("utf-8"), "text/javascript")
    return "/frameworks"


@pytest.mark.parametrize("name", ["react", "vue", "angular"])
def test_a_page_of_a_framework_imports(
    name: str, scripts: str, host: Host, open_page: Callable[..., Page]
) -> None:
    url = host.framework_page(f"{scripts}/{name}.js", session={"catalogKey": "orders"})
    widget = Widget(open_page(url))

    widget.choose(orders())
    widget.go_to("review")
    widget.import_all()
    event = widget.wait_for_applied()

    widget.until(lambda: widget.evaluate("() => window.told.length"), "the framework hears it")
    assert widget.evaluate("() => window.told") == [event["rowCount"]]

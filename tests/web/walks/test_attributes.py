"""What the attributes and properties of the element decide without a session."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route

from tests.web.walks.engine import ROOT, Engine, until
from tests.web.walks.hosts import Host
from tests.web.walks.test_pages import orders
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web
SET = "() => { document.querySelector('service-import').applyMode = 'MODE' }"
CATALOGS = re.compile(r"/catalogs/(orders|prices)$")
CHOOSE = "key => { document.querySelector('service-import').catalogKey = key }"
SET_FILE = (
    "text => document.querySelector('service-import').setFile(new Blob([text]), 'orders.csv')"
)
CATALOG = ROOT / "examples" / "catalogs" / "orders.json"


@pytest.mark.parametrize("mode", ["webhook", "browser", None])
def test_the_apply_mode_of_the_element_decides_where_rows_go(
    mode: str | None, open_widget: Callable[..., Widget], engine: Engine
) -> None:
    widget = open_widget(key=engine.key, catalog_key="orders")
    if mode is not None:  # else the default, which is webhook
        widget.evaluate(SET.replace("MODE", mode))

    widget.choose(orders())
    widget.go_to("review")
    widget.import_all()
    event = widget.wait_for_applied()

    given = widget.evaluate("() => window.results")
    if mode == "browser":
        assert [len(item["rows"]) for item in given] == [event["rowCount"]] == [3]
        assert engine.received(event["recordId"]) == []
    else:
        until(lambda: engine.received(event["recordId"]), "the receiver has the rows")
        assert engine.received(event["recordId"])[0]["rowCount"] == event["rowCount"] == 3
        assert given == []


def test_the_widget_adopts_the_only_published_catalog(
    open_widget: Callable[..., Widget], engine: Engine, host: Host
) -> None:
    tenant = "tnt_single"
    engine.manage("license", "mint", "--tenant", tenant)
    engine.manage("catalog", "publish", str(CATALOG), "--tenant", tenant)
    widget = open_widget(key=engine.page_key(tenant, host.origin), apply_mode="browser")

    widget.choose(orders())
    widget.go_to("review")
    widget.import_all()
    event = widget.wait_for_applied()

    assert event["catalogKey"] == "orders"
    (given,) = widget.evaluate("() => window.results")
    assert given["catalogKey"] == "orders"
    assert {path.partition(".")[0] for path in given["rows"][0]} == {"orders"}


def test_a_file_waits_for_the_catalog_that_the_page_chose_last(
    open_widget: Callable[..., Widget], engine: Engine
) -> None:
    widget = open_widget(key=engine.key, catalog_key="stock")
    widget.until(lambda: widget.heard("import-ready"), "the first catalog is there")
    held: list[Route] = []
    widget.page.route(CATALOGS, lambda route: held.append(route))  # playwright marks it

    for chosen in ("prices", "orders"):
        widget.page.evaluate(CHOOSE, chosen)
        widget.until(lambda key=chosen: is_asked_for(key, held), f"{chosen} is asked for")
    widget.page.evaluate(SET_FILE, orders()["buffer"].decode())
    for count, request in enumerate(held, 2):
        request.continue_()
        widget.until(lambda n=count: len(widget.heard("import-ready")) == n, "a catalog came")

    widget.go_to("review")
    assert widget.heard("import-error") == []


def is_asked_for(key: str, held: list[Route]) -> bool:
    """Return whether the last request that was held back is for a catalog."""
    return bool(held) and held[-1].request.url.endswith(f"/{key}")

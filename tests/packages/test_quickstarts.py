"""The quickstarts, as they are written, in empty projects with the packages that were built."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.packages.projects import followed
from tests.web.walks.engine import Engine, free_port, until
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.packages
LIMIT_MS = 60_000
HEAR = """window.heard = []
for (const name of ['ready', 'step', 'applied', 'error']) {
  document.addEventListener(`import-${name}`, ({type, detail}) => window.heard.push({type, detail}))
}"""


@pytest.fixture
def about(engine: Engine, dist: Path) -> dict[str, str]:
    return {"ENGINE": engine.origin, "LICENSE_KEY": engine.key, "PACKAGES": str(dist)}


def ports(*shown: int) -> dict[str, str]:
    return {str(port): str(free_port()) for port in shown}


def test_a_page_of_react_delivers_verified_rows_to_fastapi(
    tmp_path: Path, about: dict[str, str], browser: Browser
) -> None:
    here = ports(5173, 9000)
    with followed("start/react-and-fastapi", tmp_path, values=here, about=about):
        page = browser.new_page()
        log = tmp_path / "server.log"

        import_orders(page, f"http://127.0.0.1:{here['5173']}")

        expect(page.get_by_role("heading", name="orders imported")).to_be_visible(timeout=LIMIT_MS)
        until(lambda: "verified dlv_" in log.read_text("utf-8"), "the delivery is verified")
        assert ": 15 rows" in log.read_text("utf-8")
        page.close()


def import_orders(page: Page, url: str) -> None:
    """Open a page, and do what a person does there with the example file."""
    page.add_init_script(HEAR)
    until(lambda: opens(page, url), "the page is served")
    widget = Widget(page)
    widget.choose("orders-cp1252.csv")
    widget.go_to("review", "import")
    widget.import_all()


def opens(page: Page, url: str) -> bool:
    try:
        page.goto(url)
    except Error:
        return False
    return True

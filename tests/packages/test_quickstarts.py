"""The quickstarts, as they are written, in empty projects with the packages that were built."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, Error, Page, expect

from deliveries.http.signing import signature_header
from tests.packages.projects import SECRET, followed
from tests.packages.quickstarts import QUICKSTARTS, Quickstart
from tests.web.walks.engine import Engine, free_port, until
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.packages
LIMIT_MS = 60_000
SHOWN_ENGINE = 8000
DELIVERY = {
    "event": "import.apply",
    "deliveryId": "dlv_01m850r13w41nqxpxyxe38zz5c",
    "tenantId": "tnt_owner",
    "recordId": "rec_01m850r13w41nqxpxyxe38zz5d",
    "action": "submit",
    "rowCount": 1,
    "mapping": {"Größe": "p.size"},
    "rows": [{"p.size": "10 €"}],
    "occurredAt": "2026-11-20T12:00:00.000Z",
    "catalogKey": "p",
    "catalogVersion": 1,
}
HEAR = """window.heard = []
for (const name of ['ready', 'step', 'applied', 'error']) {
  document.addEventListener(`import-${name}`, ({type, detail}) => window.heard.push({type, detail}))
}"""


@dataclass(frozen=True, slots=True)
class Project:
    """A quickstart that was followed, and runs."""

    folder: Path
    started_at: float
    page: str
    receiver: str

    @property
    def log(self) -> str:
        """What the server printed."""
        return (self.folder / "server.log").read_text("utf-8")

    def answer(self, sent: bytes, *, signed: bytes, at: float) -> requests.Response:
        """Send a body with the signature that the engine makes for another, or for the same."""
        secret = (self.folder / SECRET).read_text("utf-8")
        headers = {
            "x-import-signature": signature_header([secret], t=int(at), body=[signed]),
            "content-type": "application/json",
        }
        return requests.post(self.receiver, data=sent, headers=headers, timeout=60)


def marked(quickstart: Quickstart) -> Any:
    marks = [pytest.mark.large] if quickstart.is_large else []
    return pytest.param(quickstart, marks=marks, id=str(quickstart))


@pytest.fixture(scope="module", params=[marked(quickstart) for quickstart in QUICKSTARTS])
def project(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    engine: Engine,
    dist: Path,
) -> Iterator[Project]:
    """Yield each quickstart, running."""
    quickstart: Quickstart = request.param
    folder = tmp_path_factory.mktemp(str(quickstart))
    ports = {port: free_port() for port in (quickstart.opens, quickstart.receives)}
    if quickstart.names_engine:
        ports[SHOWN_ENGINE] = engine.port
    about = {"ENGINE": engine.origin, "LICENSE_KEY": engine.key, "PACKAGES": str(dist)}
    started_at = time.monotonic()
    values = {str(shown): str(real) for shown, real in ports.items()}
    with followed(quickstart.page, folder, values=values, about=about):
        yield Project(
            folder,
            started_at,
            page=f"http://127.0.0.1:{ports[quickstart.opens]}",
            receiver=f"http://127.0.0.1:{ports[quickstart.receives]}/apply",
        )


def test_a_person_imports_to_a_verified_delivery(
    project: Project, browser: Browser, capsys: pytest.CaptureFixture[str]
) -> None:
    page = browser.new_page()

    import_orders(page, project.page)

    expect(page.get_by_role("heading", name="orders imported")).to_be_visible(timeout=LIMIT_MS)
    until(lambda: "verified dlv_" in project.log, "the delivery is verified")
    took_s = time.monotonic() - project.started_at
    assert ": 15 rows" in project.log
    with capsys.disabled():
        shown = f"\n{project.folder.name}: {took_s:.0f} s to the first verified delivery"
        print(shown)  # noqa: T201 (a figure of the run, also where it passes)
    page.close()


def test_a_body_that_a_parser_changed_is_refused_with_what_to_pass(project: Project) -> None:
    signed = json.dumps(DELIVERY, ensure_ascii=False).encode()
    parsed = json.dumps(json.loads(signed), separators=(",", ":")).encode()

    refused = project.answer(parsed, signed=signed, at=time.time())

    assert refused.status_code == 401
    assert "pass the raw body" in refused.text.lower()


@pytest.mark.parametrize(("off_s", "message"), [(-3600, "seconds old"), (3600, "in the future")])
def test_a_clock_that_is_off_is_named(project: Project, off_s: int, message: str) -> None:
    body = json.dumps(DELIVERY).encode()

    refused = project.answer(body, signed=body, at=time.time() + off_s)

    assert refused.status_code == 401
    assert message in refused.text
    assert "Check the clock" in refused.text


def test_a_delivery_of_a_newer_engine_is_accepted(project: Project) -> None:
    body = json.dumps({**DELIVERY, "tomorrow": {"a": [1]}}).encode()

    assert project.answer(body, signed=body, at=time.time()).status_code == 200


def test_a_delivery_of_many_rows_is_accepted(project: Project) -> None:
    rows = [{"p.size": "x" * 1000}] * 20_000
    body = json.dumps({**DELIVERY, "rows": rows, "rowCount": len(rows)}).encode()

    assert project.answer(body, signed=body, at=time.time()).status_code == 200


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

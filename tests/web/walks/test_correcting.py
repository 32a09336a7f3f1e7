"""The sender of a file gets a mail, corrects rows on its page, and the import applies itself."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import requests
from playwright.sync_api import Browser, Page

from licensing.tokens.keys import FEEDS
from tests.certificates import Authority
from tests.feeds.sources.http_server import Server, answers, running_http
from tests.mails.smtp import MailServer, Running, text_of
from tests.web.walks.engine import WAIT_S, Engine, until
from tests.web.walks.test_links import look

pytestmark = pytest.mark.web
HEADER = "Order number,Ordered on,Customer,Article,Quantity,Unit price,Status"
GOOD = "\n".join(
    [HEADER, *(f"A-{n},2026-02-{n:02},Shop {n},Bolt,{n},1.5,open" for n in range(1, 21))]
)
WRONG = "last monday"
BROKEN = f"{GOOD}\nA-30,{WRONG},Hildegard,Bolt,3,1.5,open\nA-31,{WRONG},Wilhelm,Nut,4,1.5,open\n"
SIZES = {390: 844, 800: 900}


@pytest.fixture(scope="module")
def mails() -> Iterator[MailServer]:
    """Yield a mail server."""
    running = Running()
    yield running.mails
    running.stop()


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Return an authority that the engine trusts."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def files(authority: Authority) -> Iterator[Server]:
    """Yield the server where the feed's file is."""
    with running_http(answers(404), authority.issue("127.0.0.1")) as server:
        yield server


@pytest.fixture(scope="module")
def own_engine(
    tmp_path_factory: pytest.TempPathFactory, mails: MailServer, authority: Authority
) -> Iterator[Engine]:
    """Yield an engine that sends mails."""
    served = Engine(
        tmp_path_factory.mktemp("mailing"),
        IMPORT_MAIL_URL=f"smtp://127.0.0.1:{mails.port}?tls=off",
        IMPORT_MAIL_FROM="Import Engine <engine@acme.example>",
        IMPORT_WEBHOOK_CA_FILE=str(authority.file),
    )
    served.set(IMPORT_PUBLIC_ORIGIN=served.origin)
    try:
        served.start()
        yield served
    finally:
        served.stop()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Yield a page in the browser of the sender."""
    context = browser.new_context(locale="en-GB", accept_downloads=True)
    context.set_default_timeout(WAIT_S * 1000)
    yield context.new_page()
    context.close()


def learn(engine: Engine) -> None:
    """Import a first file by hand, so that its mapping is remembered."""
    made = engine.call("POST", "imports", json={"text": GOOD, "catalogKey": "orders"}).json()
    at = f"imports/{made['recordId']}"
    until(lambda: engine.call("GET", at).json()["state"] == "mapping", "it is read")
    proposed = engine.call("GET", f"{at}/mapping").json()["proposed"]
    mapped = engine.call("PUT", f"{at}/mapping", json={**proposed, "remember": True})
    assert mapped.ok, mapped.text
    until(lambda: engine.call("GET", at).json()["state"] == "review", "its rows are made")
    applied = engine.call("POST", f"{at}/apply", json={})
    assert applied.status_code == 202, applied.text
    until(lambda: engine.call("GET", at).json()["state"] == "applied", "it is applied")


def make_feed(engine: Engine, files: Server) -> dict[str, Any]:
    """Create a feed whose sender may correct rows, and run it."""
    headers = {"Authorization": f"Bearer {engine.full_key(FEEDS)}"}
    at = f"{engine.origin}/api/import/v1/feeds"
    wanted = {
        "name": "Orders",
        "kind": "https",
        "catalogKey": "orders",
        "settings": {"url": f"{files.url}/orders.csv"},
        "schedule": "0 6 1 1 *",
        "rules": {"apply": True},
        "sender": {"address": "sam@shop.example", "corrects": True, "mails": ["done"]},
    }
    made = requests.post(at, json=wanted, headers=headers, timeout=60)
    assert made.status_code == 201, made.text
    started = requests.post(f"{at}/{made.json()['id']}/run", headers=headers, timeout=60)
    assert started.status_code == 202, started.text
    feed: dict[str, Any] = made.json()
    return feed


def look_at_mail(page: Page, html: str, name: str) -> None:
    """Look at a mail as a mail program shows it, in both schemes and sizes."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of its literals
        for width, height in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.set_content(html)
            if folder := os.environ.get("LINK_PICTURES"):
                page.screenshot(path=Path(folder) / f"{name}-{width}-{scheme}.png")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)


def corrected(path: Path) -> Path:
    """Type dates into the cells without one."""
    workbook = openpyxl.load_workbook(path)
    cells = [cell for row in workbook.active.iter_rows() for cell in row if cell.value == WRONG]
    assert len(cells) == 2
    for cell in cells:
        cell.value = "2026-02-21"
    workbook.save(path.with_name("corrected.xlsx"))
    return path.with_name("corrected.xlsx")


def test_a_sender_corrects_rows_from_a_mail_and_the_import_applies_itself(
    own_engine: Engine, mails: MailServer, files: Server, page: Page, tmp_path: Path
) -> None:
    learn(own_engine)
    files.reply = answers(200, BROKEN.encode(), etag='"first"')
    make_feed(own_engine, files)
    until(lambda: mails.messages, "the sender gets a mail")
    (message,) = mails.messages
    html = text_of(message, "html")
    assert WRONG not in html
    look_at_mail(page, html, "mail-correct")

    page.set_content(html)
    address = page.get_by_role("link", name="Correct the rows").get_attribute("href")
    page.goto(str(address))
    look(page, "correct-start")
    page.get_by_role("button", name="Start").click()
    page.get_by_text("2 rows have errors.").wait_for()
    look(page, "correct")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download the rows").click()
    path = tmp_path / saved.value.suggested_filename
    saved.value.save_as(path)
    assert path.suffix == ".xlsx"

    wrong = tmp_path / "wrong.csv"
    wrong.write_text("a,b\n1,2\n")
    page.get_by_label("The corrected file").set_input_files(wrong)
    page.get_by_role("button", name="Check the file").click()
    page.get_by_role("alert").filter(has_text="Row key").wait_for()
    look(page, "correct-wrong")
    page.get_by_label("The corrected file").set_input_files(path)
    page.get_by_role("button", name="Check the file").click()
    page.get_by_text("The file corrects no row.").wait_for()
    page.get_by_label("The corrected file").set_input_files(corrected(path))
    page.get_by_role("button", name="Check the file").click()
    page.get_by_role("button", name="Send the corrections").wait_for()
    look(page, "correct-checked")
    assert page.locator("[data-count=changedRows]").text_content() == "2"
    page.get_by_role("button", name="Send the corrections").click()
    page.wait_for_url("**?sent")

    def is_closed() -> bool:
        page.reload()
        return page.get_by_role("heading", name="Nothing left to correct").count() > 0

    until(is_closed, "the import applied itself")
    look(page, "correct-closed")
    newest = own_engine.call("GET", "imports").json()["items"][0]
    assert (newest["state"], newest["counts"]["rows"]) == ("applied", 22)
    until(lambda: len(mails.messages) == 2, "the sender hears that it is done")
    look_at_mail(page, text_of(mails.messages[1], "html"), "mail-done")

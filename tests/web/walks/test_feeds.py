"""A feed of each kind of source, from adding it in the admin to applying what it brought."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from feeds.admin import KINDS
from feeds.pages.places import PLACES, SECRETS
from tests.certificates import Authority
from tests.feeds.test_real_sources import MAPPING, https, imap, s3, sftp
from tests.feeds.test_six_weeks import rows
from tests.web.walks import admin
from tests.web.walks.engine import WAIT_S, Engine, until
from tests.web.walks.hosts import AXE
from tests.web.walks.test_admin import COLORS, RUN_AXE, SCHEMES

pytestmark = pytest.mark.web
PUBLISH = """
from licensing.models import Tenant
from tests.feeds.conftest import publish_entries
fields = [
    {"key": "number", "required": True, "validations": [{"validate": "unique"}]},
    {"key": "name"}, {"key": "joined", "columnType": "date"},
]
publish_entries(Tenant.objects.get(public_id="tnt_demo"), [{"id": "p", "fields": fields}])
"""
REFUSED = "The server refused the sign-in. Check the user name and the secret."
MISSING = "The file is not there any more."


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Return an authority that the engine trusts."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory, authority: Authority) -> Iterator[Engine]:
    """Yield an engine that may reach this machine, for a tenant that may have feeds."""
    served = Engine(
        tmp_path_factory.mktemp("engine"),
        IMPORT_WEBHOOK_ALLOW_NETWORKS="127.0.0.0/8",
        IMPORT_WEBHOOK_CA_FILE=str(authority.file),
    )
    try:
        served.start()
        served.manage("shell", "--no-imports", "-c", PUBLISH)
        _receive(served)
        key = {"Authorization": f"Bearer {served.full_key('feeds')}"}
        assert requests.get(f"{served.origin}/api/import/v1/feeds", headers=key, timeout=60).ok
        yield served
    finally:
        served.stop()


def _receive(engine: Engine) -> None:
    """Register the demo's receiver for the catalog."""
    hook = {"url": f"{engine.origin}/demo/receiver?members", "catalogKeys": ["members"]}
    registered = engine.call("POST", "webhooks", json=hook)
    with (engine.folder / "demo" / "signing-secret").open("a", encoding="utf-8") as file:
        file.write(f"\n{registered.json()['signingSecret']}\n")


@pytest.fixture
def page(browser: Browser, engine: Engine) -> Iterator[Page]:
    """Yield a page of the admin, signed in."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(WAIT_S * 1000)
    opened = context.new_page()
    admin.sign_in(opened, engine)
    yield opened
    context.close()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """Yield what stops the servers of a test."""
    with ExitStack() as running:
        yield running


def look(page: Page) -> None:
    """Have axe look at a page in both schemes, and see that it fits wide and narrow windows."""
    page.evaluate(AXE.read_text("utf-8"))
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(RUN_AXE, COLORS if scheme == "dark" else None) == [], page.url
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 390, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, page.url
    page.set_viewport_size({"width": 1280, "height": 900})


def fill(page: Page, items: Any, values: dict[str, Any]) -> None:
    """Fill in the fields of a place, or of what signs in there."""
    for item in items:
        if item.name not in values:
            continue
        field = page.get_by_label(f"{item.label}:", exact=True)
        value = values[item.name]
        if item.shape == "choice":
            field.select_option(value)
        else:
            field.fill("\n".join(value) if item.shape == "lines" else str(value))


def add(page: Page, engine: Engine, kind: str, about: dict[str, Any]) -> None:
    """Add a feed that applies by itself, as a person does."""
    page.goto(f"{engine.origin}/admin/feeds/feed/")
    page.get_by_role("link", name="Add feed").click()
    look(page)
    page.get_by_role("link", name=KINDS[kind]).click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Correct the fields marked below.")).to_be_visible()
    look(page)
    page.get_by_label("Tenant:").select_option("tnt_demo")
    page.get_by_label("Name:", exact=True).fill(f"Members by {kind}")
    page.get_by_label("Catalog:").fill("members")
    page.get_by_label("Scope:").fill(kind)
    page.get_by_label("Time zone:").fill("Europe/Berlin")
    page.get_by_label("Apply by itself:").check()
    fill(page, PLACES[kind], about["settings"])
    fill(page, SECRETS[kind], about["secret"])
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("is saved. Test its connection next.")).to_be_visible()


def press(page: Page, name: str) -> None:
    """Press a button that sends a form, and wait for the page that answers.

    A click returns while that page is on its way, and a reload then may find no page at all.
    """
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).click()


def shows(page: Page, text: str) -> None:
    """Reload a page until it shows a text."""

    def has_come() -> bool:
        page.reload()
        return page.get_by_text(text).count() > 0

    until(has_come, f"the page shows {text!r}")


def runs_to_its_end(page: Page) -> None:
    """Reload a page of a feed until its latest run took files, which show before it ends."""
    outcome = page.locator(".field-history .moves > li").first.locator(".tag")

    def has_ended() -> bool:
        page.reload()
        return outcome.count() > 0 and outcome.text_content() == "taken"

    until(has_ended, "the run has ended")
    page.reload()  # a page that was read as the run ended may show the feed as it was before


def waiting(page: Page, feed: str) -> None:
    """Follow the link from a feed to its import that waits."""
    link = page.locator(".field-waiting a")

    def has_come() -> bool:
        page.goto(feed)
        return link.count() > 0

    until(has_come, "an import waits")
    link.first.click()


def state_of(engine: Engine, record_id: str) -> str:
    state: str = engine.call("GET", f"imports/{record_id}").json()["state"]
    return state


def mapped(engine: Engine, record_id: str) -> None:
    """Confirm the mapping of a first file, as the host's own people do."""
    answer = engine.call("PUT", f"imports/{record_id}/mapping", json={"mapping": MAPPING})
    assert answer.status_code == 202, answer.text


@pytest.mark.parametrize(
    ("start", "wrong"),
    [
        (s3, REFUSED),
        (https, MISSING),
        pytest.param(sftp, REFUSED, marks=pytest.mark.large),
        pytest.param(imap, REFUSED, marks=pytest.mark.large),
    ],
    ids=lambda item: getattr(item, "__name__", ""),
)
def test_a_feed_is_added_tested_run_and_its_imports_decided_in_the_admin(
    start: Callable[..., Any],
    wrong: str,
    page: Page,
    engine: Engine,
    stack: ExitStack,
    tmp_path: Path,
    authority: Authority,
) -> None:
    kind = start.__name__
    put, about = start(stack, tmp_path, authority)
    secret = about["secret"]
    add(page, engine, kind, about | {"secret": {name: f"{text}x" for name, text in secret.items()}})
    feed = page.url

    press(page, "Test connection")
    expect(page.get_by_text(wrong)).to_be_visible()
    look(page)
    page.get_by_role("link", name="Change", exact=True).click()
    assert not any(f"{text}x" in page.content() for text in secret.values())
    fill(page, SECRETS[kind], secret)
    press(page, "Save")
    put("one.csv", rows(30), datetime.now(UTC))
    press(page, "Test connection")
    expect(page.get_by_text("the connection works")).to_be_visible()

    press(page, "Run now")
    runs_to_its_end(page)
    expect(page.locator(".field-history li").first).to_contain_text("1 imported")
    expect(page.locator(".field-healthy .tag")).to_have_text("good")
    expect(page.locator(".field-next_run")).to_contain_text("(schedule)")
    expect(page.locator(".field-history li").first).to_contain_text("taken")
    waiting(page, feed)
    first = page.url.rstrip("/").rpartition("/")[2]
    expect(page.get_by_text("Confirm which column feeds which field")).to_be_visible()
    mapped(engine, first)
    shows(page, "The mapping is not a remembered one.")
    look(page)
    press(page, "Apply")
    expect(page.get_by_text("The rows are on their way to the receivers.")).to_be_visible()
    until(lambda: state_of(engine, first) == "applied", "the first file is applied")

    put("two.csv", rows(31).replace("2026-01-", "2031-01-"), datetime.now(UTC))
    page.goto(feed)
    press(page, "Run now")
    waiting(page, feed)
    second = page.url.rstrip("/").rpartition("/")[2]
    expect(page.get_by_text("Days in column Joined: 2031-01-01 – 2031-01-28.")).to_be_visible()
    expect(page.get_by_role("button", name="Apply")).to_have_count(0)
    look(page)
    press(page, "This is right")
    press(page, "Apply")
    expect(page.get_by_text("The rows are on their way to the receivers.")).to_be_visible()
    until(lambda: state_of(engine, second) == "applied", "the second file is applied")

    page.goto(feed)
    press(page, "Pause")
    expect(page.locator(".field-next_run")).to_contain_text("Paused")
    press(page, "Resume")
    expect(page.locator(".field-next_run")).to_contain_text("(schedule)")
    look(page)
    assert not any(text in page.content() for text in secret.values())

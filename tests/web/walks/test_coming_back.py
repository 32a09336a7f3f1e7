"""A person closes the browser and goes on another day; people of one scope see each other."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.web.browsing import FLAGS
from tests.web.walks.engine import WAIT_S, Engine
from tests.web.walks.hosts import Host
from tests.web.walks.test_accessibility import violations
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web
ADA, BOB = {"id": "u-1", "label": "Ada Lovelace"}, {"id": "u-2", "label": "Bob Byron"}
CATALOG = {
    "key": "visits",
    "title": "Visits",
    "entries": [
        {
            "id": "visit",
            "label": "Visit",
            "fields": [
                {"key": "guest", "label": "Guest", "required": True},
                {"key": "nights", "label": "Nights", "columnType": "int"},
            ],
        }
    ],
}
FILE = {"mimeType": "text/csv", "buffer": b"Guest,Nights\nGrace,2\nAlan,3\n"}


@pytest.fixture(scope="module", autouse=True)
def visits(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Publish the catalog of these walks."""
    file = tmp_path_factory.mktemp("visits") / "visits.json"
    file.write_text(json.dumps(CATALOG), "utf-8")
    engine.manage("catalog", "publish", str(file), "--tenant", "tnt_demo")


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Callable[[str], BrowserContext]:
    """Return a function that starts a browser of its own with the profile of this test."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")

    def start(locale: str = "en-GB") -> BrowserContext:
        context = browser.browser_type.launch_persistent_context(
            tmp_path / "profile", executable_path=program, args=list(FLAGS), locale=locale
        )
        context.set_default_timeout(WAIT_S * 1000)
        return context

    return start


def terms(scope: str, actor: dict[str, str]) -> dict[str, object]:
    return {"catalogKey": "visits", "scope": scope, "actor": actor, "applyMode": "browser"}


def visit(context: BrowserContext, url: str) -> Widget:
    page: Page = context.new_page()
    page.goto(url)
    widget = Widget(page)
    widget.until(widget.is_ready, "the widget is ready")
    return widget


def test_who_closes_the_browser_goes_on_when_they_come_back(
    opened: Callable[..., BrowserContext], host: Host
) -> None:
    url = host.widget_page(apply_mode="browser", session=terms("closed", ADA))
    first = opened()
    widget = visit(first, url)
    widget.choose({"name": "closed.csv", **FILE})
    widget.go_to("review")
    stored = widget.evaluate("() => JSON.stringify(localStorage)")
    first.close()

    assert "rec_" in stored
    assert not any(secret in stored for secret in ("imp_", "Grace", "closed.csv"))

    second = opened()
    widget = visit(second, url)
    widget.element.get_by_text("closed.csv").wait_for()
    widget.button("Continue").click()
    widget.go_to("review")
    widget.import_all()
    applied = widget.wait_for_applied()
    second.close()

    assert applied["rowCount"] == 2
    third = opened()
    widget = visit(third, url)
    assert widget.button("Continue").count() == 0
    assert widget.evaluate("() => localStorage.length") == 0
    third.close()


def test_another_scope_in_the_same_browser_is_offered_nothing(
    opened: Callable[..., BrowserContext], host: Host
) -> None:
    browser = opened()
    widget = visit(browser, host.widget_page(apply_mode="browser", session=terms("mine", ADA)))
    widget.choose({"name": "mine.csv", **FILE})
    widget.go_to("review")
    widget.page.close()

    widget = visit(browser, host.widget_page(apply_mode="browser", session=terms("theirs", BOB)))
    widget.button("Choose file").wait_for()

    assert widget.element.get_by_text("mine.csv").count() == 0
    assert widget.evaluate("() => localStorage.length") == 0
    browser.close()


def test_an_import_that_was_deleted_meanwhile_is_said_so_once(
    opened: Callable[..., BrowserContext], host: Host, engine: Engine
) -> None:
    url = host.widget_page(apply_mode="browser", session=terms("deleted", ADA))
    browser = opened()
    widget = visit(browser, url)
    widget.choose({"name": "deleted.csv", **FILE})
    widget.go_to("review")
    kept = widget.evaluate("() => Object.values(localStorage)[0]")
    engine.call("delete", f"imports/{json.loads(kept)['recordId']}").raise_for_status()
    widget.page.close()

    widget = visit(browser, url)
    widget.element.get_by_text("This import no longer exists.").wait_for()
    assert widget.heard("import-error") == []
    widget.choose({"name": "again.csv", **FILE})
    assert widget.go_to("review") == "review"
    browser.close()


def test_a_reset_forgets_the_import_in_the_browser(
    opened: Callable[..., BrowserContext], host: Host
) -> None:
    browser = opened()
    widget = visit(browser, host.widget_page(apply_mode="browser", session=terms("reset", ADA)))
    widget.choose({"name": "reset.csv", **FILE})
    widget.go_to("review")

    widget.evaluate("() => document.querySelector('service-import').reset()")

    assert widget.evaluate("() => localStorage.length + sessionStorage.length") == 0
    browser.close()


def test_two_people_of_a_scope_see_each_other_and_one_goes_on_for_the_other(
    open_widget: Callable[..., Widget],
) -> None:
    ada = open_widget(apply_mode="browser", session=terms("shared", ADA))
    ada.choose({"name": "from-ada.csv", **FILE})
    ada.go_to("review")

    bob = open_widget(apply_mode="browser", session=terms("shared", BOB), show_imports="")
    listed = bob.element.get_by_role("listitem").filter(has_text="from-ada.csv")
    listed.get_by_text("Review: waits for Ada Lovelace").wait_for()
    assert "2 rows" in listed.inner_text()
    listed.get_by_role("button", name="Continue").click()
    bob.go_to("review")
    bob.element.get_by_role("gridcell", name="Grace").wait_for()
    bob.import_all()
    bob.wait_for_applied()

    again = open_widget(apply_mode="browser", session=terms("shared", ADA), show_imports="")
    row = again.element.get_by_role("listitem").filter(has_text="from-ada.csv")
    row.get_by_text("Imported", exact=True).wait_for()
    row.get_by_role("button", name="Open").click()
    again.heading("2 rows imported").wait_for()
    assert again.heard("import-applied") == []  # the page of the person who applied heard it


def test_another_scope_lists_none_of_it(open_widget: Callable[..., Widget]) -> None:
    ada = open_widget(apply_mode="browser", session=terms("apart", ADA))
    ada.choose({"name": "apart.csv", **FILE})
    ada.go_to("review")

    other = open_widget(apply_mode="browser", session=terms("elsewhere", BOB), show_imports="")
    with other.page.expect_response(lambda answer: "/imports?" in answer.url) as listed:
        other.page.reload()

    assert listed.value.json()["items"] == []
    other.until(other.is_ready, "the widget is ready")
    assert other.heading("Imports").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 820, 1280])
def test_the_list_of_imports_fits_and_axe_finds_nothing(
    width: int, scheme: str, open_widget: Callable[..., Widget]
) -> None:
    about = {"viewport": {"width": width, "height": 900}}
    scope = f"looks-{width}-{scheme}"
    ada = open_widget(apply_mode="browser", session=terms(scope, ADA))
    ada.choose({"name": "a-rather-long-name-of-a-file-from-an-accounting-program.csv", **FILE})
    ada.go_to("review")
    widget = open_widget(
        apply_mode="browser",
        session=terms(scope, BOB),
        show_imports="",
        theme=scheme,
        browser_about=about,
    )
    widget.heading("Imports").wait_for()
    if folder := os.environ.get("LOOKS"):
        widget.page.screenshot(path=f"{folder}/imports-{width}-{scheme}.png", full_page=True)

    assert violations(widget) == []
    assert widget.evaluate("() => document.documentElement.scrollWidth <= innerWidth")

"""Before an import, a person sees what it would change of what is known."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.walks.engine import Engine
from tests.web.walks.test_accessibility import violations
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

KEY, ASKING_KEY = "known-members", "asking-members"
ENTRY: dict[str, Any] = {
    "id": "member",
    "fields": [{"key": "number", "validations": [{"validate": "unique"}]}, {"key": "city"}],
}
ASKING = {
    **ENTRY,
    "fields": [ENTRY["fields"][0], {"key": "city", "label": "City", "onKnown": "ask"}],
}
KNOWN = {"17": {"number": "M-1", "city": "Berlin"}, "18": {"number": "M-9", "city": "Kiel"}}
TEXT = "number,city\nM-1,Bonn\nM-2,Ulm\nM-3,Mainz\n"
FILE = {"name": "members.csv", "mimeType": "text/csv", "buffer": TEXT.encode()}
PHONE = {"viewport": {"width": 320, "height": 720}}


@pytest.fixture(scope="module")
def known(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Publish a catalog, and make two members known in each scope."""
    path = tmp_path_factory.mktemp("catalog") / "members.json"
    for key, entry in {KEY: ENTRY, ASKING_KEY: ASKING}.items():
        document = {"key": key, "title": "Members", "entries": [entry]}
        path.write_text(json.dumps(document), "utf-8")
        engine.manage("catalog", "publish", str(path), "--tenant", "tnt_demo")
    items = [{"ref": ref, "values": values} for ref, values in KNOWN.items()]
    for scope in ("seen-en", "seen-de", "unseen", "deciding"):
        answer = engine.call("put", f"references/member?scope={scope}", json={"items": items})
        assert answer.ok, answer.text


def reviewed(
    open_widget: Callable[..., Widget], scope: str, *rights: str, **about: object
) -> Widget:
    """Return a widget that shows the rows of the file in review."""
    session = {"catalogKey": KEY, "scope": scope, "rights": list(rights)}
    widget = open_widget(session=session, **about)
    widget.choose(FILE)
    widget.go_to("review")
    return widget


def keep_picture(widget: Widget, name: str) -> None:
    """Keep a screenshot where a developer asked for one."""
    if folder := os.environ.get("KEPT_PICTURES"):
        widget.page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


@pytest.mark.parametrize(
    ("locale", "about", "title", "deeds", "counts"),
    [
        ("en", {}, "Changes", ["Update 1, add 2", "Add 2"], ["Unchanged: 1", "Missing: 1"]),
        ("de", PHONE, "Änderungen", ["1 ändern, 2 neu", "2 hinzufügen"],
         ["Unverändert: 1", "Fehlend: 1"]),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("known")
def test_what_an_import_would_change_is_seen_and_follows_edits(
    locale: str, about: dict[str, object], title: str, deeds: list[str], counts: list[str],
    engine: Engine, open_widget: Callable[..., Widget],
) -> None:  # fmt: skip
    widget = reviewed(
        open_widget, f"seen-{locale}", "seeChanges", locale=locale, browser_about=about
    )
    widget.button(deeds[0]).wait_for()

    widget.button(title).click()

    shown = widget.element.get_by_role("listitem").filter(has_text="Berlin").first
    shown.wait_for()
    assert "Bonn" in shown.inner_text()
    keep_picture(widget, f"{locale}-changed")
    assert violations(widget) == []
    widget.button(counts[1]).click()
    widget.element.get_by_text("M-9").wait_for()
    keep_picture(widget, f"{locale}-missing")

    widget.element.get_by_role("group").get_by_role("button").first.click()
    cell = widget.element.get_by_role("gridcell", name="Bonn")
    cell.dblclick()
    widget.page.keyboard.press("ControlOrMeta+A")
    widget.page.keyboard.type("Berlin")
    widget.page.keyboard.press("Enter")

    widget.button(deeds[1]).wait_for()
    widget.button(title).click()
    widget.button(counts[0]).wait_for()


@pytest.mark.usefixtures("known")
def test_a_page_without_the_right_is_shown_nothing_that_is_known(
    open_widget: Callable[..., Widget],
) -> None:
    requested: list[str] = []
    widget = open_widget(session={"catalogKey": KEY, "scope": "unseen"})
    widget.page.on("request", lambda request: requested.append(request.url))
    widget.choose(FILE)
    widget.go_to("review")
    widget.button("Import all 3 rows").wait_for()

    assert widget.button("Changes").count() == 0
    assert [url for url in requested if "/plan" in url] == []


@pytest.mark.usefixtures("known")
def test_a_field_that_asks_is_decided_before_the_import(
    engine: Engine, open_widget: Callable[..., Widget]
) -> None:
    terms = {"catalogKey": ASKING_KEY, "scope": "deciding", "rights": ["seeChanges"]}
    widget = open_widget(session=terms)
    widget.choose(FILE)
    widget.go_to("review")

    widget.button("Update 1, add 2").click()

    notice = widget.element.get_by_role("group", name="Decide before you import")
    notice.get_by_text("Different from what is known: 1").wait_for()
    assert "Berlin" in notice.inner_text()
    assert "Bonn" in notice.inner_text()
    keep_picture(widget, "deciding")
    assert violations(widget) == []
    go_on = notice.get_by_role("button", name="Import")
    assert go_on.is_disabled()
    notice.get_by_role("button", name="Use the file").click()
    with widget.page.expect_request(lambda request: request.url.endswith("/apply")) as applied:
        go_on.click()

    fields = applied.value.post_data_json["fields"]
    assert fields == {"member.city": {"onKnown": "overwrite"}}

"""A list that is the whole list: what is missing from it is deleted where a person says so."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from examples.customers.host import CUSTOMERS, Server
from examples.customers.store import Store
from tests.web.walks.engine import Engine, until
from tests.web.walks.test_accessibility import violations
from tests.web.walks.test_customers import gyms, in_store, known_to, list_of, open_gym
from tests.web.walks.widget import Widget

__all__ = ["gyms", "open_gym"]  # fixtures
pytestmark = pytest.mark.web

SCOPE = CUSTOMERS["vienna"]["scope"]
ADA, BOB = "V-1;Ada;01 2345678;aktiv", "V-2;Bob;01 2345679;aktiv"
MANY = [f"V-{n};Member {n};;aktiv" for n in range(10)]
Show = Callable[..., Widget]


@pytest.fixture
def vienna(gyms: Server, engine: Engine, tmp_path: Path) -> Iterator[Server]:
    """Yield the host, whose gym in Vienna has no members; the engine knows none either."""
    gyms.store = Store(tmp_path / "rows.sqlite3")
    earlier = {changeset["id"] for changeset in changesets(engine)}
    assert engine.call("delete", f"references/member?scope={SCOPE}").ok
    yield gyms

    def is_learned() -> bool:
        mine = [changeset for changeset in changesets(engine) if changeset["id"] not in earlier]
        return all(item["learnedAt"] for item in mine if item["state"] == "applied")

    until(is_learned, "the engine learned every import")


def changesets(engine: Engine) -> list[dict[str, Any]]:
    """Return the newest changesets."""
    listed: list[dict[str, Any]] = engine.call("get", "changesets?limit=50").json()["items"]
    return listed


@pytest.fixture
def show(open_gym: Callable[[str], Widget], vienna: Server) -> Show:
    """Return a function that shows the rows of a list in review."""

    def show_one(*members: str) -> Widget:
        widget = open_gym("vienna")
        widget.choose(list_of(*members))
        widget.go_to("review")
        return widget

    return show_one


@pytest.fixture
def bring(show: Show, vienna: Server, engine: Engine) -> Show:
    """Return a function that imports a list, and waits until host and engine have it."""

    def bring_one(deed: str, *members: str) -> Widget:
        widget = show(*members)
        pressed(widget, deed)
        names = {member.split(";")[1] for member in members}
        until(lambda: names <= in_store(vienna).keys(), "the host has the list")
        until(lambda: names <= known_to(engine), "the engine learned the list")
        return widget

    return bring_one


def pressed(widget: Widget, deed: str) -> None:
    """Press the button that imports, and wait until the rows are applied."""
    widget.element.get_by_role("button", name=re.compile(f"^({deed})$")).click()
    widget.wait_for_applied()


def choose_deletion(widget: Widget, count: int) -> Locator:
    """Open the view of changes, and choose to delete what is missing; return what is listed."""
    widget.button("Changes").click()
    choice = widget.element.get_by_role(
        "checkbox", name=f"Also delete what is missing from this file: {count}", exact=True
    )
    choice.wait_for()
    assert not choice.is_checked()
    choice.check()
    listed = widget.element.get_by_role("region", name=f"Missing: {count}")
    listed.get_by_role("listitem").first.wait_for()
    return listed


def keep_pictures(widget: Widget, name: str) -> None:
    """Keep screenshots where a developer dialog for them: wide and narrow, light and dark."""
    folder = os.environ.get("KEPT_PICTURES")
    for width in (1280, 390) if folder else ():
        widget.page.set_viewport_size({"width": width, "height": 860})
        for scheme in ("light", "dark"):
            widget.element.evaluate("(element, theme) => { element.theme = theme }", scheme)
            widget.page.screenshot(path=Path(folder or "") / f"{name}-{width}-{scheme}.png")
    if folder:
        widget.page.set_viewport_size({"width": 1280, "height": 860})


def reverted(widget: Widget, button: str) -> None:
    """Revert an import on its last screen."""
    widget.button("Revert").click()
    widget.button(button).click()
    widget.element.get_by_text("The import was reverted").wait_for()


def test_a_list_is_imported_three_times_the_third_with_a_conflict_and_a_missing_member(
    bring: Show, show: Show, vienna: Server, engine: Engine
) -> None:
    assert in_store(vienna) == {}
    bring("Add 2|Import all 2 rows", ADA, BOB)
    first = {"Ada": ("+4312345678", "active"), "Bob": ("+4312345679", "active")}
    assert in_store(vienna) == first

    paused = BOB.replace("aktiv", "pausiert")
    second_page = bring("Update 1, add 1", ADA, paused, "V-3;Cyd;;aktiv")
    until(lambda: known_to(engine) == {"Ada", "Bob", "Cyd"}, "the engine learned the second list")
    second = {**first, "Bob": ("+4312345679", "paused"), "Cyd": (None, "active")}
    assert in_store(vienna) == second

    refs = {row["member.name"]: ref for ref, row in vienna.store.members_of("vienna").items()}
    vienna.store.edit("vienna", refs["Ada"], {"member.phone": "+4312345600"})  # by hand
    edited = {**second, "Ada": ("+4312345600", "active")}

    third_page = show("V-1;Ada;01 2345670;aktiv", "V-3;Cyd;;aktiv")
    third_page.button("Update 1").wait_for()
    listed = choose_deletion(third_page, 1)
    assert "Bob" in listed.inner_text()
    keep_pictures(third_page, "deletion")
    third_page.button("Update 1, delete 1").click()
    notice = third_page.element.get_by_role("group", name="Decide before you import")
    notice.get_by_role("button", name="Keep known values").click()
    assert in_store(vienna) == edited  # nothing before it is decided
    notice.get_by_role("button", name="Import").click()
    third_page.wait_for_applied()
    third = {"Ada": edited["Ada"], "Cyd": edited["Cyd"]}
    until(lambda: in_store(vienna) == third, "the host deleted the missing member")
    until(lambda: known_to(engine) == {"Ada", "Cyd"}, "the engine forgot the missing member")
    third_page.element.get_by_text("deleted", exact=True).wait_for()
    keep_pictures(third_page, "deleted")

    reverted(third_page, "Revert 2 rows")
    until(lambda: in_store(vienna) == edited, "the missing member is back")
    until(lambda: known_to(engine) == {"Ada", "Bob", "Cyd"}, "the engine knows it again")
    reverted(second_page, "Revert 3 rows")
    after = {**first, "Ada": edited["Ada"]}
    until(lambda: in_store(vienna) == after, "the second list is taken back")


def test_many_missing_members_are_deleted_once_the_number_is_typed(
    bring: Show, show: Show, vienna: Server
) -> None:
    bring("Add 10|Import all 10 rows", *MANY)
    widget = show(*MANY[:4])
    listed = choose_deletion(widget, 6)
    assert [name for name in MANY[4:] if name.split(";")[1] not in listed.inner_text()] == []
    assert violations(widget) == []

    widget.button("Import all 4 rows, delete 6").click()
    dialog = widget.element.get_by_role("dialog", name="Delete what is missing from this file?")
    dialog.get_by_text("6 of 10").wait_for()
    assert len(in_store(vienna)) == 10
    assert violations(widget) == []
    keep_pictures(widget, "confirm")
    go = dialog.get_by_role("button", name="Import and delete")
    number = dialog.get_by_role("textbox", name="Type 6 to confirm")
    assert go.is_disabled()
    number.fill("5")
    assert go.is_disabled()
    number.fill("6")
    go.click()

    widget.wait_for_applied()
    left = {f"Member {n}" for n in range(4)}
    until(lambda: in_store(vienna).keys() == left, "the host deleted the missing members")
    reverted(widget, "Revert 4 rows")
    until(lambda: len(in_store(vienna)) == 10, "the missing members are back")


def test_who_cancels_the_confirmation_can_import_without_deleting(
    bring: Show, show: Show, vienna: Server
) -> None:
    bring("Add 10|Import all 10 rows", *MANY)
    widget = show(*MANY[:4])
    choose_deletion(widget, 6)
    widget.button("Import all 4 rows, delete 6").click()
    dialog = widget.element.get_by_role("dialog", name="Delete what is missing from this file?")
    dialog.get_by_role("button", name="Cancel").click()
    dialog.wait_for(state="detached")

    widget.element.get_by_role("checkbox").uncheck()
    pressed(widget, "Import all 4 rows")

    assert len(in_store(vienna)) == 10


def test_a_row_that_may_name_a_member_deletes_nothing_and_says_what_to_do(
    bring: Show, show: Show, vienna: Server
) -> None:
    bring("Add 2|Import all 2 rows", ADA, BOB)
    widget = show(ADA, ";Somebody;;aktiv")
    widget.page.set_viewport_size({"width": 390, "height": 860})
    choose_deletion(widget, 1)

    widget.element.get_by_role("button", name=re.compile(", delete 1$")).click()
    refused = widget.element.get_by_role("alert").filter(has_text="Nothing was imported or deleted")
    refused.get_by_text("The key cannot be read in 1 row. Correct or exclude them.").wait_for()
    expect(refused).to_be_in_viewport()
    assert violations(widget) == []
    keep_pictures(widget, "refused")
    widget.button("Don’t delete").click()
    pressed(widget, "Import 1 valid row")

    assert in_store(vienna).keys() == {"Ada", "Bob"}


def test_a_second_person_sees_and_confirms_what_is_deleted(
    bring: Show, vienna: Server, engine: Engine, open_widget: Callable[..., Widget]
) -> None:
    bring("Add 2|Import all 2 rows", ADA, BOB)

    def open_as(person: str, **about: str) -> Widget:
        session: dict[str, Any] = {
            **CUSTOMERS["vienna"],
            "actor": {"id": person.lower(), "label": person},
            "rights": ["seeChanges", "deleteKnown", "release"],
            "secondPerson": {"above": 0},
        }
        return open_widget(session=session, **about)

    first = open_as("Eve")
    first.choose(list_of(ADA))
    first.go_to("review")
    choose_deletion(first, 1)
    first.element.get_by_role("button", name=re.compile(", delete 1$")).click()
    first.element.get_by_text("Waits for approval by a second person.").first.wait_for()
    listed = engine.call("get", "imports?limit=100").json()["items"]
    record_id = next(item["recordId"] for item in listed if item["scope"] == SCOPE)

    second = open_as("Fay", record_id=record_id)
    second.element.get_by_text("It also deletes what is missing from the file: 1").wait_for()
    assert violations(second) == []
    keep_pictures(second, "approval")
    second.button("Approve").click()
    dialog = second.element.get_by_role("dialog", name="Delete what is missing from this file?")
    dialog.get_by_role("textbox", name="Type 1 to confirm").fill("1")
    assert violations(second) == []
    dialog.get_by_role("button", name="Approve").click()

    second.wait_for_applied()
    until(lambda: in_store(vienna).keys() == {"Ada"}, "the host deleted the missing member")

"""Three customers of one host, each from their file to rows that the host verified and stored."""

import io
import os
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Page

from examples.customers.host import CUSTOMERS, HERE, Server, Settings
from licensing.tokens.keys import CATALOG_OVERLAYS
from tests.web.walks.engine import Engine, free_port, until
from tests.web.walks.test_answers import csv
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

HEAR = """
window.heard = []
for (const name of 'ready step applied error'.split(' ')) {
  document.addEventListener(`import-${name}`, ({type, detail}) => heard.push({type, detail}))
}
"""


@pytest.fixture(scope="module")
def gyms(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield the running host of the example, with its catalog and its registration."""
    engine.manage("catalog", "publish", str(HERE / "members.json"), "--tenant", "tnt_demo")
    port = free_port()
    registered = engine.call(
        "post",
        "webhooks",
        json={
            "url": f"http://127.0.0.1:{port}/apply",
            "label": "Gyms",
            "catalogKeys": ["members"],
            "actions": ["submit", "revert", "delete"],
            "include": ["changes"],
        },
    ).json()
    settings = Settings(
        engine.origin,
        engine.full_key(CATALOG_OVERLAYS),
        registered["signingSecret"],
        tmp_path_factory.mktemp("gyms") / "rows.sqlite3",
    )
    server = Server(settings, port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()
    engine.call("delete", f"webhooks/{registered['id']}")


@pytest.fixture
def open_gym(open_page: Callable[..., Page], gyms: Server) -> Callable[[str], Widget]:
    """Return a function that opens the page of a customer as the host serves it."""

    def open_one(customer: str) -> Widget:
        page = open_page("about:blank")
        page.add_init_script(HEAR)
        page.goto(f"{gyms.origin}/{customer}")
        return Widget(page)

    return open_one


COMMON = ["Name", "Phone", "Joined on", "Status"]
FEE = ["Yearly fee", "Currency"]
FIELDS = {
    "zurich": ["Subscription", *COMMON, *FEE],
    "berlin": ["Member number", *COMMON, *FEE, "Locker", "Contract ends on"],
    "vienna": ["Member number", *COMMON],
}
FIRST_ROW = {
    "zurich": {
        "member.number": "ZH-001",
        "member.name": "Ruth Ammann",
        "member.phone": "+41446681800",
        "member.joined": "2024-02-01",
        "member.status": "subscriber",
        "member.fee": 1234.5,
        "member.currency": "CHF",
    },
    "berlin": {
        "member.number": "B-1",
        "member.name": "Anton Dreyer",
        "member.phone": "+493023125100",
        "member.joined": "2024-02-01",
        "member.status": "active",
        "member.fee": 1234.5,
        "member.currency": "EUR",
        "member.locker": 17,
        "member.contract_end": "2026-12-31",
    },
    "vienna": {
        "member.number": "W-1",
        "member.name": "Gerda Huber",
        "member.phone": "+4312345678",
        "member.joined": "2024-02-01",
        "member.status": "active",
        "member.fee": None,  # the price of its file is 777,10
        "member.currency": None,
    },
}
REVIEWED = {
    "zurich": ["ZH-001", "Ruth Ammann", "+41446681800", "Feb 1, 2024", "Subscriber", "1234.5"],
    "berlin": ["B-1", "Anton Dreyer", "+493023125100", "Feb 1, 2024", "Active", "1234.5"],
    "vienna": ["W-1", "Gerda Huber", "+4312345678", "Feb 1, 2024", "Active", "W-2"],
}


def offered(widget: Widget) -> list[str]:
    """Return the fields that the first column of the file may feed, without marks."""
    choices = widget.element.get_by_role("combobox").first.get_by_role("option")
    return [text.split(" *")[0].removesuffix(" (in use)") for text in choices.all_inner_texts()][1:]


def headers(widget: Widget) -> list[str]:
    """Return the fields in the review."""
    named = widget.element.get_by_role("columnheader").all_inner_texts()
    return [text.split("\n")[0].removesuffix("*").strip() for text in named][1:]


def cells(widget: Widget) -> list[str]:
    """Return the texts in the review, row by row, once they are loaded."""
    shown = widget.element.get_by_role("gridcell")
    widget.until(lambda: any(shown.all_inner_texts()), "the rows are shown")
    return shown.all_inner_texts()


def to_columns(widget: Widget) -> None:
    """Go from the review to the step of the columns."""
    widget.evaluate("() => document.querySelector('service-import').goTo('columns')")
    widget.heading("Match your columns").wait_for()


@pytest.mark.parametrize("customer", FIELDS)
def test_a_customer_sees_and_delivers_the_fields_of_their_own(
    customer: str, open_gym: Callable[[str], Widget], gyms: Server
) -> None:
    widget = open_gym(customer)
    widget.choose(HERE / customer / "members.csv")
    widget.go_to("review")
    assert cells(widget)[:6] == REVIEWED[customer]
    assert headers(widget) == FIELDS[customer]
    assert "unmapped field" not in widget.element.locator("[part~=container]").inner_text()

    to_columns(widget)
    assert offered(widget) == FIELDS[customer]
    widget.go_to("review")
    widget.import_all()
    widget.wait_for_applied()

    until(lambda: gyms.store.members_of(customer), "the host has verified the rows")
    assert next(iter(gyms.store.members_of(customer).values())) == FIRST_ROW[customer]
    assert widget.heard("import-error") == []


def test_a_hidden_price_is_nowhere_on_the_screens(
    open_gym: Callable[[str], Widget], engine: Engine
) -> None:
    widget = open_gym("vienna")
    seen = []

    def look() -> None:
        seen.append(widget.element.locator("[part~=container]").inner_text())

    widget.until(widget.is_ready, "the widget is ready")
    look()
    with widget.page.expect_download() as loading:
        widget.button("Template (.xlsx)").click()
    sheet = load_workbook(io.BytesIO(loading.value.path().read_bytes())).worksheets[0]
    template = [cell for row in sheet.values for cell in row if cell]
    widget.choose(HERE / "vienna" / "members.csv")
    widget.go_to("review")
    assert not {"777.1", "777,10"} & set(cells(widget))
    look()
    to_columns(widget)
    look()

    assert [name for name in FEE if any(name in text for text in (*seen, *template))] == []


def test_a_customer_picks_from_options_of_their_own(open_gym: Callable[[str], Widget]) -> None:
    widget = open_gym("zurich")
    widget.element.get_by_text("Subscriber · Trial").wait_for()
    widget.choose(HERE / "zurich" / "members.csv")
    widget.go_to("review")

    widget.element.get_by_role("gridcell", name="Trial").dblclick()

    options = widget.element.get_by_role("option").all_text_contents()
    assert sorted(options) == ["Subscriber", "Trial"]


def test_a_number_that_a_customer_may_not_change_is_read_only(
    open_gym: Callable[[str], Widget],
) -> None:
    widget = open_gym("vienna")
    widget.choose(HERE / "vienna" / "members.csv")
    widget.go_to("review")

    widget.element.get_by_role("gridcell", name="W-1").dblclick()
    widget.page.keyboard.type("W-9")

    assert widget.element.get_by_role("textbox", name="Edit").count() == 0
    assert cells(widget)[0] == "W-1"


def list_of(*members: str) -> dict[str, Any]:
    """Return a file of members as Vienna has it: number, name, phone, status."""
    return csv("Mitgliedsnummer;Name;Telefon;Status\n" + "".join(f"{row}\n" for row in members))


def in_store(gyms: Server) -> dict[str, tuple[str, str]]:
    """Return phone and status of Vienna's members, by name."""
    members = gyms.store.members_of("vienna").values()
    return {row["member.name"]: (row["member.phone"], row["member.status"]) for row in members}


def known_to(engine: Engine) -> set[str]:
    """Return the names of Vienna's members that the engine knows."""
    address = f"references/member?scope={CUSTOMERS['vienna']['scope']}"
    return {item["values"].get("name") for item in engine.call("get", address).json()["items"]}


def test_a_list_is_imported_again_with_a_conflict_and_reverted(
    open_gym: Callable[[str], Widget], gyms: Server, engine: Engine
) -> None:
    before = gyms.store.members_of("vienna")

    def bring(deed: str, *members: str) -> Widget:
        widget = open_gym("vienna")
        widget.choose(list_of(*members))
        widget.go_to("review")
        widget.element.get_by_role("button", name=re.compile(f"^({deed})$")).click()
        return widget

    ada, bob = "V-1;Ada;01 2345678;aktiv", "V-2;Bob;01 2345679;aktiv"
    bring("Add 2|Import all 2 rows", ada, bob).wait_for_applied()
    until(lambda: "Bob" in in_store(gyms), "the host has the first list")
    first = in_store(gyms)
    paused = bring("Update 1, add 1", ada, "V-2;Bob;01 2345679;pausiert", "V-3;Cyd;;aktiv")
    paused.wait_for_applied()
    until(lambda: "Cyd" in in_store(gyms), "the host has the second list")
    second = in_store(gyms)
    assert second == {**first, "Bob": (first["Bob"][0], "paused"), "Cyd": (None, "active")}
    until(lambda: "Cyd" in known_to(engine), "the engine learned the second list")
    ref = next(
        ref for ref, row in gyms.store.members_of("vienna").items() if row["member.name"] == "Ada"
    )
    gyms.store.edit("vienna", ref, {"member.phone": "+4312345600"})  # by hand, at the host

    conflict = bring("Update 1", "V-1;Ada;01 2345670;aktiv", "V-3;Cyd;;aktiv")
    notice = conflict.element.get_by_role("group", name="Decide before you import")
    notice.get_by_role("button", name="Keep known values").click()
    shown = " ".join(notice.inner_text().split())
    assert "Last import +4312345678 Known now +4312345600 This file +4312345670" in shown
    if folder := os.environ.get("KEPT_PICTURES"):
        conflict.page.screenshot(path=f"{folder}/conflict.png")
    notice.get_by_role("button", name="Import").click()
    conflict.wait_for_applied()
    third = {**second, "Ada": ("+4312345600", "active")}
    conflict.button("Revert").click()
    conflict.button("Revert 2 rows").click()
    conflict.element.get_by_text("The import was reverted").wait_for()
    assert in_store(gyms) == third

    paused.button("Revert").click()
    paused.button("Revert 3 rows").click()
    paused.element.get_by_text("The import was reverted").wait_for()
    assert in_store(gyms) == {**first, "Ada": third["Ada"]}
    assert before.items() <= gyms.store.members_of("vienna").items()


AMOUNTS = "Mitgliedsnummer;Name;Jahresbeitrag\n1;Ada;{}\n2;Bob;{}\n"


@pytest.mark.parametrize(
    ("customer", "mark", "meant"), [("zurich", "Point", "1.2"), ("berlin", "Comma", "1200")]
)
def test_the_region_suggests_how_amounts_are_read_that_can_be_read_in_two_ways(
    customer: str, mark: str, meant: str, open_gym: Callable[[str], Widget]
) -> None:
    widget = open_gym(customer)
    widget.choose(csv(AMOUNTS.format("1.200", "3.500")))
    widget.go_to("review")

    assert meant in cells(widget)
    suggested = widget.element.get_by_role("button").filter(has_text="Suggested")
    assert mark in suggested.inner_text()


@pytest.mark.parametrize("customer", ["zurich", "berlin"])
@pytest.mark.parametrize("text", ["1'234.50", "1.234,50"])
def test_an_amount_that_can_be_read_in_one_way_means_the_same_in_every_region(
    text: str, customer: str, open_gym: Callable[[str], Widget]
) -> None:
    widget = open_gym(customer)
    widget.choose(csv(AMOUNTS.format(text, text)))
    widget.go_to("review")

    assert cells(widget).count("1234.5") == 2
    assert widget.element.get_by_role("region", name="Question").count() == 0

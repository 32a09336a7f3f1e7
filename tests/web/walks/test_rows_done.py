"""Each imported row has a line: what changed, and what the receiver answered."""

from collections.abc import Callable, Iterator
from io import BytesIO

import pytest
from openpyxl import load_workbook

from tests.web.walks.engine import Engine
from tests.web.walks.hosts import RECEIVER, Host
from tests.web.walks.test_accessibility import press_until, violations
from tests.web.walks.test_editor import publish
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

ROWS = 60  # more than the list begins with
PHONE = {"viewport": {"width": 390, "height": 780}}
TEXT = "Number,Name,Limit\n" + "".join(f"C-{n},Name {n},{n}00\n" for n in range(ROWS))
FILE = {"name": "known.csv", "mimeType": "text/csv", "buffer": TEXT.encode()}
REFUSED = [7, 52]
FIELDS = [
    {"key": "number", "label": "Number", "required": True, "validations": [{"validate": "unique"}]},
    {"key": "name", "label": "Name"},
    {"key": "limit", "label": "Limit", "columnType": "int"},
]


class Customers:
    """A separate catalog for each import, because entities of an import become known."""

    def __init__(self, engine: Engine, host: Host, name: str = "known") -> None:
        self.engine, self.host, self.name, self.made = engine, host, name, 0

    def publish(self) -> str:
        """Publish one with some known entities, and a receiver that answers about rows."""
        self.made += 1
        key = f"{self.name}-{self.made}"
        entry = {"id": f"{self.name}customer{self.made}", "fields": FIELDS}
        publish(self.engine, key, title="Customers", entries=[entry])
        known = {"items": [as_known(n) for n in range(20)]}
        hook = {
            "url": f"{self.host.origin}{RECEIVER}{key}",
            "label": "Webshop",
            "actions": ["submit", "revert"],
            "catalogKeys": [key],
        }
        self.engine.call("PUT", f"references/{entry['id']}", json=known).raise_for_status()
        self.engine.call("POST", "webhooks", json=hook).raise_for_status()
        self._have_the_demo_receive(key)
        return key

    def _have_the_demo_receive(self, key: str) -> None:
        """Register the demo's receiver for a catalog that is not from the demo."""
        url = f"{self.engine.origin}/demo/receiver?{key}"
        hook = {"url": url, "label": "Demo receiver", "catalogKeys": [key]}
        registered = self.engine.call("POST", "webhooks", json=hook)
        with (self.engine.folder / "demo" / "signing-secret").open("a", encoding="utf-8") as file:
            file.write(f"\n{registered.json()['signingSecret']}\n")


def as_known(n: int) -> dict[str, object]:
    """Return an entity as known: the first ten with another limit."""
    values = {"number": f"C-{n}", "name": f"Name {n}", "limit": 100 if n < 10 else n * 100}
    return {"ref": f"C-{n}", "values": values}


def as_answered(n: int) -> dict[str, object]:
    """Return the receiver's result for a row."""
    if n in REFUSED:
        return {"row": n, "status": "refused", "message": f"Limit {n} is locked"}
    return {"row": n, "status": "created"}


@pytest.fixture(scope="module")
def customers(engine: Engine, host: Host) -> Iterator[Customers]:
    """Yield the publisher of catalogs; the receiver answers about rows meanwhile."""
    host.results = [as_answered(n) for n in range(ROWS)]
    yield Customers(engine, host)
    host.results = []
    assert host.received
    host.assert_deliveries()


@pytest.fixture
def imported(
    open_widget: Callable[..., Widget], customers: Customers, engine: Engine
) -> Callable[..., Widget]:
    """Return a function that imports the file and waits for the results of its rows."""

    def import_one(**about: object) -> Widget:
        widget = open_widget(key=engine.key, catalog_key=customers.publish(), **about)
        widget.choose(FILE)
        widget.go_to("review")
        widget.import_all()
        widget.wait_for_applied()
        widget.element.get_by_role("table", name="Result for each row").wait_for()
        return widget

    return import_one


def lines(widget: Widget) -> list[str]:
    """Return the visible lines."""
    texts = widget.element.get_by_role("row").all_text_contents()
    return [" ".join(text.split()) for text in texts[1:]]


def test_each_row_says_what_changed_and_what_the_receiver_answered(
    imported: Callable[..., Widget],
) -> None:
    widget = imported()

    shown = lines(widget)
    assert len(shown) == 25
    assert widget.element.get_by_text("2 rows were refused by the receiver.").is_visible()
    assert shown[2] == "3 C-2Name 2 ChangedLimit 100 200 Created"
    assert shown[7] == "8 C-7Name 7 ChangedLimit 100 700 RefusedLimit 7 is locked"
    assert shown[12] == "13 C-12Name 12 Unchanged Created"
    assert shown[24] == "25 C-24Name 24 New Created"

    widget.button("Show more").click()
    widget.until(lambda: len(lines(widget)) == 50, "there are more lines")


def test_a_line_counts_what_the_receiver_took_as_delivered(imported: Callable[..., Widget]) -> None:
    widget = imported()

    line = widget.element.locator("li.proof", has_text="Webshop")
    line.wait_for()
    # It created the 20 that are known, and refused another one.
    texts = ["Compared", "Webshop", "As delivered: 39 · Different: 21"]
    assert [part for part in texts if part not in line.inner_text()] == []
    assert violations(widget) == []


def test_lines_are_shown_by_change_and_by_answer(imported: Callable[..., Widget]) -> None:
    widget = imported()

    widget.button("Refused 2").click()
    widget.until(lambda: len(lines(widget)) == 2, "the refused rows are shown")
    assert [line.split()[0] for line in lines(widget)] == ["8", "53"]

    widget.button("Unchanged 11").click()
    widget.until(lambda: len(lines(widget)) == 11, "the unchanged rows are shown")
    assert widget.element.get_by_text("Rows 1 to 11 of 11").is_visible()

    widget.button("All 60").click()
    widget.until(lambda: len(lines(widget)) == 25, "all rows are shown")


def test_refused_rows_are_taken_along_with_what_the_receiver_said(
    imported: Callable[..., Widget],
) -> None:
    widget = imported()

    with widget.page.expect_download() as saved:
        widget.button("Download with reasons").click()

    assert saved.value.suggested_filename == "known-refused.xlsx"
    sheet = load_workbook(BytesIO(saved.value.path().read_bytes())).worksheets[0]
    lines = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
    assert [(line[0], line[3]) for line in lines] == [
        ("C-7", "Webshop: Limit 7 is locked"),
        ("C-52", "Webshop: Limit 52 is locked"),
    ]


def test_rows_that_a_receiver_would_keep_are_downloaded_with_what_they_were_before(
    imported: Callable[..., Widget],
) -> None:
    widget = imported()

    with widget.page.expect_download() as saved:
        widget.button("Download rows").click()

    assert saved.value.suggested_filename == "known-applied.xlsx"
    sheet = load_workbook(BytesIO(saved.value.path().read_bytes())).worksheets[0]
    lines = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
    assert len(lines) == ROWS
    assert lines[2][3] == "Limit: It was “100”."
    assert lines[12][3] == "It is unchanged."
    assert lines[52][3] == "It is new.; Webshop: Limit 52 is locked"


def test_the_fields_that_changed_in_most_rows_are_below_the_lines(
    imported: Callable[..., Widget],
) -> None:
    widget = imported()

    assert widget.element.get_by_text(
        "Rows 1 to 25 of 60. Fields changed most: Limit 9."
    ).is_visible()


def test_a_revert_says_what_it_does_at_each_receiver_before_it_is_begun(
    imported: Callable[..., Widget],
) -> None:
    widget = imported()
    panel = widget.element.get_by_role("region", name="Revert 60 imported rows?")
    cards = panel.locator(".at")
    widget.until(lambda: cards.count() == 2, "both receivers are named")
    texts = sorted(" ".join(text.split()) for text in cards.all_inner_texts())
    assert texts == [
        "Can’t be notified Demo receiver It can’t undo this automatically. What it imported "
        "stays there. You can download the rows and undo them by hand. Download rows",
        "Will be notified Webshop It will be asked to revert 60 rows.",
    ]
    assert panel.get_by_text("Receivers can be notified until").is_visible()

    widget.button("Revert").click()
    widget.element.get_by_text("This cannot be undone.").wait_for()
    widget.button("Keep").click()
    widget.button("Revert").click()
    widget.button("Revert 60 rows").click()

    widget.heading("The import was reverted").wait_for()
    widget.element.get_by_text("It can’t undo this automatically.").wait_for()
    assert panel.count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_lines(scheme: str, imported: Callable[..., Widget]) -> None:
    assert violations(imported(theme=scheme)) == []


def test_a_phone_shows_each_row_as_a_card_and_nothing_runs_over(
    imported: Callable[..., Widget],
) -> None:
    widget = imported(browser_about=PHONE)

    width = "() => document.documentElement.scrollWidth"
    assert widget.evaluate(width) <= PHONE["viewport"]["width"]
    for button in ("Show more", "Revert"):
        box = widget.button(button).bounding_box()
        assert box
        assert box["x"] + box["width"] <= PHONE["viewport"]["width"] - 16
    name = widget.element.get_by_text("Name 2", exact=True).bounding_box()
    change = widget.element.get_by_text("Limit", exact=True).nth(1).bounding_box()
    assert name
    assert change
    assert change["y"] > name["y"]


def test_a_keyboard_reaches_the_lines(imported: Callable[..., Widget]) -> None:
    widget = imported()

    press_until(widget, "Refused 2")
    widget.page.keyboard.press("Enter")

    widget.until(lambda: len(lines(widget)) == 2, "the refused rows are shown")


def test_an_import_without_results_has_no_lines(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "prices"})
    widget.choose("price-list.pdf")
    widget.go_to("review")
    widget.import_all()
    widget.wait_for_applied()
    widget.element.get_by_text("The delivery is confirmed").wait_for()
    widget.until(lambda: not widget.element.locator(".busy").count(), "nothing is on its way")

    assert widget.element.get_by_role("table").count() == 0

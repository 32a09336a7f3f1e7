"""An import of more rows than one person may apply waits until another person approves it."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.walks.engine import Engine
from tests.web.walks.test_accessibility import violations
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

HEAD = "Order number,Ordered on,Customer,Article,Quantity,Unit price,Status\n"
ROWS = "A-1,2026-02-03,Ada,LX-100,2,19.90,open\nA-2,2026-02-04,Bob,LX-200,1,7.25,open\n"
SCOPE = "second-person"
FILE = {"name": "orders.csv", "mimeType": "text/csv", "buffer": (HEAD + ROWS).encode()}


@pytest.fixture
def open_as(open_widget: Callable[..., Widget]) -> Callable[..., Widget]:
    """Return a function that opens the widget for a person; two rows are too many for one."""

    def open_one(person: str, **about: str) -> Widget:
        session: dict[str, Any] = {
            "catalogKey": "orders",
            "scope": SCOPE,
            "actor": {"id": person.lower(), "label": person},
            "rights": ["release", "revert"],
            "secondPerson": {"above": 1},
        }
        return open_widget(session=session, **about)

    return open_one


@pytest.fixture
def newest(engine: Engine) -> Callable[[], str]:
    """Return a function that returns the id of the newest import of the scope."""

    def newest_one() -> str:
        listed = engine.call("get", "imports?limit=100").json()["items"]
        return str(next(item for item in listed if item["scope"] == SCOPE)["recordId"])

    return newest_one


def waits(widget: Widget, what: str) -> None:
    """Wait for what is said, and for who prepared it."""
    widget.element.get_by_text(f"{what} Prepared by: Ada.").first.wait_for()


def test_another_person_approves_an_apply_and_another_one_its_revert(
    open_as: Callable[..., Widget], newest: Callable[[], str]
) -> None:
    ada = open_as("Ada")
    ada.choose(FILE)
    ada.go_to("review")
    ada.button("Import all 2 rows").click()
    waits(ada, "Waits for approval by a second person.")
    assert ada.button("Approve").count() == 0
    assert ada.button("Find and replace").count() == 0  # nothing changes while it waits
    assert violations(ada) == []
    record_id = newest()

    bob = open_as("Bob", record_id=record_id)
    waits(bob, "Waits for approval by a second person.")
    bob.button("Approve").click()
    assert bob.wait_for_applied()["recordId"] == record_id

    ada = open_as("Ada", record_id=record_id)
    ada.button("Revert").click()
    ada.button("Revert 2 rows").click()
    waits(ada, "The revert waits for a second person. The rows stay imported.")
    assert ada.button("Revert 2 rows").count() == 0
    assert violations(ada) == []

    bob = open_as("Bob", record_id=record_id)
    waits(bob, "The revert waits for a second person. The rows stay imported.")
    bob.button("Revert 2 rows").click()
    bob.heading("The import was reverted").wait_for()


def test_who_rejects_brings_the_rows_back_to_the_review(
    open_as: Callable[..., Widget], newest: Callable[[], str]
) -> None:
    ada = open_as("Ada")
    ada.choose(FILE)
    ada.go_to("review")
    ada.button("Import all 2 rows").click()
    waits(ada, "Waits for approval by a second person.")
    record_id = newest()

    bob = open_as("Bob", record_id=record_id)
    bob.button("Reject").click()

    bob.button("Import all 2 rows").wait_for()

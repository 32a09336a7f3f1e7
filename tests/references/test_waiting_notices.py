"""Hosts hear why an apply came back: what is known changed while the rows were applied."""

import json

import pytest

from changesets.follow_up import follow_due
from deliveries import bodies
from deliveries.models import Delivery
from tests.imports.conftest import carry_on
from tests.references.conftest import V1, host_answers
from tests.references.test_field_policies import BERLIN, customers, row

pytestmark = pytest.mark.django_db


@pytest.fixture
def waits(webhook):
    """Return a function that returns who must act and why, for each wait, in order."""
    webhook(path="events", events_wanted=["import.waiting"])

    def announced() -> list[tuple[str, str, list[str]]]:
        queued = Delivery.objects.filter(event="import.waiting").order_by("pk")
        notices = [json.loads(bodies.content(delivery)) for delivery in queued]
        return [(notice["state"], notice["for"], notice["why"]) for notice in notices]

    return announced


def ask_to_apply(client, record, **wishes) -> None:
    address = f"{V1}/imports/{record['recordId']}/apply"
    answer = client.post(address, {"invalidRows": "exclude", **wishes}, format="json")
    assert answer.status_code == 202, answer.content


def test_values_that_the_host_changed_meanwhile_wait_for_a_decision(
    published, know, bring, apply, webhook, client, waits
):
    webhook("submit")
    published(customers())
    know("customer", _1=BERLIN)
    apply(bring(row("Berlin")))
    host_answers(200)
    follow_due()
    record = bring(row("Bonn"))
    ask_to_apply(client, record)
    know("customer", _1={**BERLIN, "city": "Rom"})

    assert carry_on(client, record["recordId"])["state"] == "review"
    assert waits()[-1] == ("review", "staff", ["conflicts"])


def test_rows_that_compare_otherwise_than_approved_wait_for_another_approval(
    published, know, bring, webhook, client, waits
):
    webhook("submit")
    published(customers())
    know("customer", _1=BERLIN)
    record = bring(row("Bonn"))
    ask_to_apply(client, record, staged=True)
    changeset = carry_on(client, record["recordId"])["changesetId"]
    assert client.post(f"{V1}/changesets/{changeset}/apply").status_code == 202
    know("customer", _1={**BERLIN, "city": "Rom"})

    assert carry_on(client, record["recordId"])["state"] == "staged"
    assert waits()[-2:] == [
        ("staged", "approver", ["approval"]),
        ("staged", "approver", ["changed_since_approval"]),
    ]

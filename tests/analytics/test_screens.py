"""The widget reports how long a step was seen; the analytics of the catalog show it."""

import pytest

from analytics.models import CatalogDay
from common import clock
from common.actors import ENGINE
from importengine.erasure import erase_tenant
from imports.models import ImportRecord
from tests.analytics.orders import analytics, editor, imported, published, receiver

__all__ = ["editor", "imported", "published", "receiver"]  # fixtures
pytestmark = pytest.mark.django_db


@pytest.fixture
def report(client, imported):
    """Return a function that reports a step of one import; returns the answer."""
    made = imported()

    def report(**body):
        return client.post(made.url("steps"), body, format="json")

    report.record = made
    return report


def test_the_analytics_show_the_median_of_what_people_saw(report, editor):
    for seconds in (60, 60, 1_000):
        assert report(step="columns", seconds=seconds).status_code == 204

    _, _, columns, *_ = analytics(editor)["screens"]
    assert columns == {"step": "columns", "seen": 3, "medianSeconds": 64.0, "closed": 0}


def test_a_page_that_is_closed_counts_until_the_import_has_ended(report, editor):
    report(step="import", seconds=9, left=True)  # it was applied
    ImportRecord.objects.update(state="review")
    report(step="review", seconds=9, left=True)

    closed = {item["step"]: item["closed"] for item in analytics(editor)["screens"]}
    assert (closed["review"], closed["import"]) == (1, 0)


@pytest.mark.parametrize(
    "body",
    [
        {"step": "columns"},
        {"step": "columns", "seconds": -1},
        {"step": "columns", "seconds": "long"},
        {"step": "A cell", "seconds": 1},
        {"step": "columns", "seconds": 1, "header": "Customer"},
    ],
)
def test_nothing_but_a_step_and_its_seconds_is_taken(report, body):
    answer = report(**body)

    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert not [name for day in CatalogDay.objects.all() for name in day.counts if "saw:" in name]


def test_a_stranger_reports_nothing(report, client_of, mint_key):
    stranger = client_of(mint_key("tnt_stranger"))
    body = {"step": "columns", "seconds": 1}

    assert stranger.post(report.record.url("steps"), body, format="json").status_code == 404


def test_a_year_counts_as_a_day(report, editor):
    report(step="review", seconds=31_536_000)

    (review,) = [item for item in analytics(editor)["screens"] if item["step"] == "review"]
    assert review["medianSeconds"] < 100_000


def test_what_was_reported_is_erased_with_its_tenant(report, owner):
    report(step="review", seconds=5)
    erase_tenant(tenant=owner, actor=ENGINE, at=clock.now())

    assert not CatalogDay.objects.exists()

"""Why an import of a feed waits: the figures of both sides for hosts and for staff."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from tests.feeds.conftest import imports_of
from tests.feeds.test_six_weeks import learn_from, rows, week

pytestmark = pytest.mark.django_db
__all__ = ["week"]  # a fixture


@pytest.fixture
def half(feed, week):
    """Return the import of a file with half of the usual rows."""
    learn_from(feed, week)
    week(rows(101), "w1.csv")
    week(rows(48), "w2.csv")
    return imports_of(feed)[-1]


def test_a_host_reads_the_figures_of_both_sides(half, client_of, mint_key):
    host = client_of(mint_key(entitlements=("feeds",), expires_in_s=10**8))
    shown = host.get(f"/api/import/v1/imports/{half.public_id}").json()["waitsBecause"]
    by_code = {reason["code"]: reason for reason in shown}

    fewer = by_code["drift_rows_fewer"]
    assert fewer["detail"] == "Fewer rows than usual: 48. Usual: 100."
    assert (fewer["before"]["rows"], fewer["after"]["rows"], fewer["column"]) == (100, 48, None)
    missing = by_code["too_many_missing_percent"]
    assert (missing["before"], missing["after"]) == (None, None)


def test_staff_read_the_feed_the_reasons_and_the_figures_of_both_sides(half, feed):
    person = Client()
    person.force_login(get_user_model().objects.create_superuser("root"))
    page = person.get(f"/admin/imports/importrecord/{half.pk}/change/").content.decode()

    assert f"{feed.public_id}</a> w2.csv" in page
    assert "Fewer rows than usual: 48. Usual: 100." in page
    assert "<tr><th>rows</th><td>100</td><td>48</td></tr>" in page

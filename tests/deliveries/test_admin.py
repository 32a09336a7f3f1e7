"""The audit log in the admin: everything is visible except secrets, nothing is editable."""

import pytest

from deliveries.models import Delivery, Registration
from tests.deliveries.conftest import NOON

LIST, LOG = "/admin/deliveries/registration/", "/admin/deliveries/delivery/"


@pytest.fixture
def rows(make_registration, make_delivery) -> tuple[Registration, Delivery]:
    registration = make_registration()
    delivery = make_delivery(registration)
    delivery.history.create(
        number=1,
        started_at=NOON,
        finished_at=NOON,
        http_status=None,
        error_class="timeout",
        latency_ms=5,
    )
    return registration, delivery


def test_secrets_are_never_shown(admin_client, rows):
    registration, _ = rows

    pages = [admin_client.get(LIST), admin_client.get(f"{LIST}{registration.pk}/change/")]

    assert [page.status_code for page in pages] == [200, 200]
    assert not any("whsec_" in page.content.decode() for page in pages)


def test_the_log_shows_a_delivery_with_its_attempts(admin_client, rows):
    _, delivery = rows

    listed = admin_client.get(LOG).content.decode()
    shown = admin_client.get(f"{LOG}{delivery.pk}/change/").content.decode()

    assert delivery.public_id in listed
    assert "timeout" in listed
    assert "timeout" in shown


def test_nothing_is_added_changed_or_deleted(admin_client, rows):
    registration, delivery = rows
    calls = [
        admin_client.post(f"{LIST}add/"),
        admin_client.post(f"{LIST}{registration.pk}/change/", {"url": "https://evil.example"}),
        admin_client.post(f"{LIST}{registration.pk}/delete/", {"post": "yes"}),
        admin_client.post(f"{LOG}add/"),
        admin_client.post(f"{LOG}{delivery.pk}/change/", {"state": "delivered"}),
        admin_client.post(f"{LOG}{delivery.pk}/delete/", {"post": "yes"}),
    ]

    assert {call.status_code for call in calls} == {403}


@pytest.mark.parametrize(("failures", "wanted"), [(3, "yes"), (0, "no")])
def test_failing_registrations_can_be_filtered(admin_client, rows, failures, wanted):
    Registration.objects.update(consecutive_failures=failures)
    url = rows[0].url

    other = "no" if wanted == "yes" else "yes"
    assert url in admin_client.get(f"{LIST}?failing={wanted}").content.decode()
    assert url not in admin_client.get(f"{LIST}?failing={other}").content.decode()

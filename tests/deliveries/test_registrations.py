"""Registering, rotating, taking away. Spec: Resources > Webhook registration."""

from datetime import timedelta

import pytest
from django.db import connection

from common.actors import Actor
from common.errors import InvalidRequest
from common.models import Move
from deliveries import selectors, services
from deliveries.models import Registration
from deliveries.services.sending import secrets_of
from tests.deliveries.conftest import NOON, outcome

PERSON = Actor(kind="person", id="lic_1", label="Ada")


def test_a_registration_takes_submits_unless_told_otherwise(tenant):
    made = services.register(tenant=tenant, url="https://host.example/", at=NOON)

    assert made.registration.actions == ["submit"]
    assert made.secret.startswith("whsec_")
    assert made.registration.public_id.startswith("whk_")


def test_the_secret_is_not_in_the_database_in_clear(tenant):
    made = services.register(tenant=tenant, url="https://host.example/", at=NOON)

    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM deliveries_registration")
        (stored,) = cursor.fetchone()
    assert made.secret not in stored
    assert Registration.objects.get().secret == made.secret


def test_a_url_that_is_never_called_is_refused(tenant, settings):
    settings.WEBHOOK_ALLOW_NETWORKS = ()

    with pytest.raises(InvalidRequest) as refused:
        services.register(tenant=tenant, url="https://169.254.169.254/", at=NOON)

    assert refused.value.code == "url_refused"
    assert refused.value.members["errors"][0]["pointer"] == "/url"


def test_only_registrations_that_asked_for_an_action_get_it(tenant, make_registration):
    both = make_registration(actions=["submit", "revert"])
    submit = make_registration()

    assert list(selectors.registrations_for(tenant, "revert")) == [both]
    assert list(selectors.registrations_for(tenant, "submit")) == [both, submit]


def test_a_rotated_secret_signs_alone_at_once(make_registration):
    registration = make_registration()

    rotated = services.rotate(registration=registration, at=NOON)

    assert rotated.secret != registration.secret
    assert secrets_of(rotated.registration, at=NOON) == [rotated.secret]


def test_during_the_overlap_both_secrets_sign(make_registration):
    registration = make_registration()

    rotated = services.rotate(registration=registration, at=NOON, overlap_hours=2)

    both = [rotated.secret, registration.secret]
    end = NOON + timedelta(hours=2)
    assert secrets_of(rotated.registration, at=NOON) == both
    assert secrets_of(rotated.registration, at=end - timedelta(seconds=1)) == both
    assert secrets_of(rotated.registration, at=end) == [rotated.secret]


def test_a_rotation_without_overlap_ends_an_earlier_overlap(make_registration):
    registration = make_registration()
    services.rotate(registration=registration, at=NOON, overlap_hours=2)

    rotated = services.rotate(registration=registration, at=NOON)

    assert secrets_of(rotated.registration, at=NOON) == [rotated.secret]


def test_deleting_cancels_what_waits_and_keeps_the_log(tenant, make_registration, make_delivery):
    registration = make_registration()
    waiting = make_delivery(registration)
    settled = make_delivery(registration, **outcome("delivered"))
    elsewhere = make_delivery(make_registration())

    services.delete_registration(registration=registration, actor=PERSON, at=NOON)

    for delivery in (waiting, settled, elsewhere):
        delivery.refresh_from_db()
    assert [one.state for one in (waiting, settled, elsewhere)] == [
        "cancelled",
        "delivered",
        "pending",
    ]
    assert registration not in selectors.registrations_of(tenant)
    move = Move.objects.get(subject=waiting.public_id)
    assert (move.from_state, move.to_state, move.actor["label"]) == ("pending", "cancelled", "Ada")


def test_a_rotation_of_one_tenant_leaves_the_others_alone(make_registration):
    mine, other = make_registration(), make_registration()

    services.rotate(registration=mine, at=NOON)

    assert Registration.objects.get(pk=other.pk).secret == other.secret

"""A missing encryption key is reported at once, and affects only what needs it."""

import logging

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.test import Client as Browser

from common.secrets import key_id_of
from deliveries.models import Attempt, Delivery
from deliveries.services.attempt import new_client
from deliveries.services.dispatch import Dispatcher
from importengine.processes import encryption
from licensing.models import Tenant
from tests.deliveries.conftest import (
    NOON,
    loopback_allowed,
    make_delivery,
    make_host,
    make_registration,
    tenant,
)

__all__ = ["loopback_allowed", "make_delivery", "make_host", "make_registration", "tenant"]

pytestmark = pytest.mark.django_db(transaction=True)
FORMER, NOW = "the former key of this engine, 32+", "quite another key, as long as it was"
V1 = "/api/import/v1/"


@pytest.fixture
def rekeyed(settings, make_registration, make_delivery):
    """Return a due delivery whose registration's key is gone."""
    settings.ENCRYPTION_KEYS = [FORMER]
    delivery = make_delivery(make_registration())
    settings.ENCRYPTION_KEYS = [NOW]
    return delivery


def test_the_probe_names_the_missing_key_and_no_key(rekeyed):
    answer = Browser().get("/readyz")

    check = answer.json()["checks"]["secrets"]
    assert answer.status_code == 503
    assert key_id_of(FORMER) in check
    assert key_id_of(NOW) in check
    assert FORMER not in check
    assert NOW not in check


def test_the_check_of_a_deployment_names_the_missing_key(rekeyed):
    with pytest.raises(SystemCheckError, match=f"E009.*lacks the key {key_id_of(FORMER)}"):
        call_command("check", "--deploy")


def test_each_program_logs_the_missing_key_at_its_start(rekeyed, caplog):
    with caplog.at_level(logging.ERROR):
        encryption.say_at_start()

    assert key_id_of(FORMER) in caplog.text


def test_with_the_former_key_behind_the_new_one_nothing_is_missing(rekeyed, settings):
    settings.ENCRYPTION_KEYS = [NOW, FORMER]

    assert encryption.what_is_unreadable() == ""
    call_command("rotate-encryption")
    settings.ENCRYPTION_KEYS = [NOW]
    assert encryption.what_is_unreadable() == ""


def test_lists_need_no_secret_and_what_needs_one_is_a_problem(rekeyed, mint_key, client_of):
    client = client_of(mint_key("tnt_owner"))
    webhook = f"{V1}webhooks/{rekeyed.registration.public_id}"
    addresses = ("deliveries", f"deliveries/{rekeyed.public_id}", "webhooks")

    assert [client.get(V1 + address).status_code for address in addresses] == [200] * 3
    refused = client.post(f"{webhook}/rotate", {"overlapHours": 1}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (503, "secret_unreadable")
    assert key_id_of(FORMER) in refused.json()["detail"]
    assert client.post(f"{webhook}/rotate", {}, format="json").status_code == 200


def test_what_cannot_be_signed_is_tried_again_and_delays_no_other_tenant(
    rekeyed, make_host, make_registration, make_delivery
):
    other = Tenant.objects.create(public_id="tnt_other", created_at=NOON)
    fine = make_delivery(make_registration(make_host().url, tenant=other))

    Dispatcher(client=new_client()).run()

    states = dict(Delivery.objects.values_list("public_id", "state"))
    assert states == {rekeyed.public_id: "pending", fine.public_id: "delivered"}
    errors = Attempt.objects.filter(delivery=rekeyed).values_list("error_class", flat=True)
    assert list(errors) == ["secret_unreadable"]

"""What ``manage.py setup`` registers for the demo receiver, and what it leaves alone."""

from io import StringIO
from ipaddress import ip_network

import pytest
from django.core.management import call_command

from common import clock
from deliveries import services
from deliveries.models import Registration
from licensing.models import Tenant
from licensing.tokens import keyfiles

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def engine(settings, data_folder) -> None:
    pair = keyfiles.write_key_pair(data_folder / "keys")
    settings.LICENSE_PUBLIC_KEY = pair.public_key.read_text("utf-8")
    settings.DEMO, settings.WEBHOOK_ALLOW_NETWORKS = True, (ip_network("127.0.0.0/8"),)


def set_up() -> None:
    call_command("setup", stdout=StringIO())


def registered() -> dict[str, list[str] | None]:
    return {
        registration.url: registration.catalog_keys
        for registration in Registration.objects.filter(deleted_at=None)
    }


def test_the_demo_receiver_takes_the_examples_and_no_catalog_of_yours():
    set_up()

    (receiver,) = Registration.objects.all()
    assert receiver.catalog_keys == ["orders", "prices", "stock"]
    assert receiver.takes("submit", "orders")
    assert not receiver.takes("submit", "people")


def test_a_receiver_of_an_earlier_setup_that_took_everything_is_replaced(settings):
    set_up()
    Registration.objects.update(catalog_keys=None)
    secret = (settings.DATA_DIR / "demo" / "signing-secret").read_text("utf-8")

    set_up()

    assert list(registered().values()) == [["orders", "prices", "stock"]]
    assert (settings.DATA_DIR / "demo" / "signing-secret").read_text("utf-8") != secret


def test_a_second_setup_changes_nothing_and_leaves_receivers_of_yours_alone():
    set_up()
    mine = "http://127.0.0.1:9000/apply"
    tenant = Tenant.objects.get(public_id="tnt_demo")
    services.register(tenant=tenant, url=mine, at=clock.now())
    before = registered()

    set_up()

    assert registered() == before
    assert before[mine] is None

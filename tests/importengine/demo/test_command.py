"""``manage.py demo FILE``: an import that ends with a verified delivery."""

import threading
from io import StringIO
from ipaddress import ip_network
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connections

from common import clock
from deliveries import tasks, transitions
from deliveries.models import Delivery
from importengine.management.commands import demo
from licensing.tokens import keyfiles

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def orders(settings, data_folder, monkeypatch) -> Path:
    monkeypatch.setattr(tasks, "_client", None)  # one of another test has its settings
    pair = keyfiles.write_key_pair(data_folder / "keys")
    settings.LICENSE_PUBLIC_KEY = pair.public_key.read_text("utf-8")
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    call_command("setup", stdout=StringIO())
    return Path("examples/orders-cp1252.csv")


def run(file: Path) -> str:
    out = StringIO()
    call_command("demo", file, catalog="orders", stdout=out)
    return out.getvalue()


def test_the_rows_reach_a_receiver_that_verifies_them(orders):
    printed = run(orders)

    assert "signature verified" in printed
    assert "delivered, 1 attempt\n" in printed


def test_a_delivery_that_the_worker_of_a_running_engine_sends_is_waited_for(orders, monkeypatch):
    def give_back(claimed: list[Delivery]) -> None:
        transitions.give_back(claimed)
        connections.close_all()

    def a_worker_is_first() -> None:
        monkeypatch.setattr(demo, "dispatch_due", tasks.dispatch_due)
        due = Delivery.objects.filter(state="pending")
        claimed = transitions.claim_for_sending(due, limit=10, at=clock.now())
        assert claimed
        threading.Timer(0.2, give_back, [claimed]).start()

    monkeypatch.setattr(demo, "dispatch_due", a_worker_is_first)

    assert "signature verified" in run(orders)

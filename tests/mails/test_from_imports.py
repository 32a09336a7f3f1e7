"""What happens to real imports reaches the staff of their tenant, without a cell or a file name."""

import pytest
from django.core import mail
from django.core.management import call_command
from django.db import transaction

from common import clock
from deliveries import services as deliveries
from imports.models import ImportRecord
from mails import lines, sending
from mails.models import Line, Mail, Unsubscribed
from tests.imports.asked import Imported, publish_fields
from tests.imports.conftest import client, owner
from tests.mails.test_lines import note_for_sender

pytestmark = pytest.mark.django_db
__all__ = ["client", "owner"]  # fixtures
NAME, CELL = "salaries.csv", "Hildegard"
DAY = {"key": "day", "columnType": "date"}


@pytest.fixture
def tenant(owner):
    return owner


@pytest.fixture
def send_soon(monkeypatch):
    """Return a function that sends what happened, as half a minute later."""

    def send_soon() -> list:
        monkeypatch.setattr(lines, "GATHERED_FOR", -lines.GATHERED_FOR)
        sending.send_due()
        return mail.outbox

    return send_soon


def everything(message) -> str:
    return str(message.message()) + message.body + message.alternatives[0][0]


def test_an_import_that_waits_fails_or_is_done_is_mailed(tenant, client, make_person, send_soon):
    make_person("ada", "waiting", "failed", "done")
    publish_fields(tenant, "name", DAY)
    Imported(client, "%PDF-1.7 broken", filename=NAME)
    waiting = Imported(client, f"name,day\n{CELL},never\n", filename=NAME, autoMap=True)
    done = Imported(client, f"name\n{CELL}\n", filename=NAME, autoMap=True).finish()

    texts = {message.subject: message.body for message in send_soon()}
    assert set(texts) == {
        "tnt_owner: something failed",
        "tnt_owner: imports wait for you",
        "tnt_owner: imports were applied",
    }
    assert "Correct or exclude rows with errors." in texts["tnt_owner: imports wait for you"]
    assert waiting.id in texts["tnt_owner: imports wait for you"]
    assert done.id in texts["tnt_owner: imports were applied"]
    for message in mail.outbox:
        assert NAME not in everything(message)
        assert CELL not in everything(message)
        assert "never" not in everything(message)


def test_edits_of_an_import_that_waits_are_mailed_once(tenant, client, make_person):
    make_person("ada", "waiting")
    publish_fields(tenant, "name")
    imported = Imported(client, "name\nAda\nBob\n", autoMap=True)
    for _ in range(3):
        mapping = imported.mapping()["mapping"]
        imported.put("mapping", {"mapping": mapping, "allowMissing": True})

    assert list(Line.objects.values_list("why", flat=True)) == [["apply"]]


@pytest.mark.django_db(transaction=True)
def test_a_cause_that_is_rolled_back_mails_nothing(tenant, make_person):
    make_person("ada", "failed")
    failed = {"tenant": tenant, "feed_id": "fed_1", "catalog_key": "people", "code": "x"}
    with transaction.atomic():
        deliveries.announce_failed_feed(**failed, at=clock.now())
        transaction.set_rollback(True)

    assert not Line.objects.exists()


def test_a_feed_that_fails_is_mailed(tenant, make_person, send_soon):
    make_person("ada", "failed")
    deliveries.announce_failed_feed(
        tenant=tenant, feed_id="fed_1", catalog_key="people", code="source_unreachable",
        at=clock.now(),
    )  # fmt: skip

    (message,) = send_soon()
    assert "A feed into people failed (source_unreachable)." in message.body
    assert "/admin/feeds/feed/?q=fed_1" in message.body


def erase(*arguments: str) -> None:
    call_command("erase", *arguments)


def test_an_erased_tenant_leaves_no_mail(tenant, client, make_person, send_soon):
    make_person("ada", "failed")
    publish_fields(tenant, "name")
    Imported(client, "%PDF-1.7 broken")
    send_soon()
    note_for_sender(tenant)
    Unsubscribed.objects.create(tenant=tenant, address_sha256="x", at=clock.now())
    assert Mail.objects.exists()

    erase(tenant.public_id, "--yes")

    for model in (Mail, Line, Unsubscribed):
        assert not model.objects.exists()


def test_an_erased_scope_takes_its_senders_along(tenant, client, make_person):
    make_person("ada", "failed")
    publish_fields(tenant, "name")
    for scope in ("berlin", "vienna"):
        imported = Imported(client, "%PDF-1.7 broken")
        ImportRecord.objects.filter(public_id=imported.id).update(scope=scope)
        note_for_sender(tenant, scope=scope, subject=imported.id, record_id=imported.id)

    erase(tenant.public_id, "--scope", "berlin", "--yes")

    assert list(Line.objects.exclude(address="").values_list("scope", flat=True)) == ["vienna"]
    assert Line.objects.filter(address="").count() == 1

"""Who sends a file by mail gets its rows with errors by mail, and sends them back the same way."""

import pytest

from feeds.models import Feed
from mails import sending
from mails.models import Line
from tests.feeds.conftest import imports_of, work
from tests.feeds.test_real_sources import (
    FIRST,
    V1,
    authority,
    decide,
    host,
    imap,
    run_to_its_end,
    stack,
)
from tests.feeds.test_senders import BROKEN, RIGHT, WRONG, exported, mail_is_on, path_in
from tests.links.conftest import Browser
from tests.mails.conftest import server

pytestmark = pytest.mark.django_db
__all__ = ["authority", "host", "mail_is_on", "server", "stack"]  # fixtures


@pytest.fixture
def mailbox(stack, tmp_path, authority, host, time):
    """Return a feed of a mailbox that learned its mapping, as its address and a function."""
    put, about = imap(stack, tmp_path, authority)
    wanted = about | {
        "name": "Members",
        "kind": "imap",
        "catalogKey": "members",
        "schedule": "0 6 * * 1",
        "rules": {"apply": True},
        "sender": {"corrects": True},
    }
    made = host.post(f"{V1}/feeds", wanted, format="json").json()
    address = f"{V1}/feeds/{made['id']}"

    def bring(name: str, text: str, sender: str = "ann@shop.example"):
        put(name, text, time.at, sender=sender)
        run_to_its_end(address, host, time)
        work(Feed.objects.get())
        return imports_of(Feed.objects.get())[-1]

    first = bring("one.csv", FIRST)
    decide(Feed.objects.get())
    assert first.state == "mapping"
    return bring


def test_the_proven_sender_of_a_mail_gets_the_link(mailbox, server, time):
    record = mailbox("two.csv", BROKEN)
    time.pass_by(minutes=1)
    sending.send_due()

    (message,) = server.messages
    assert (record.state, message["To"]) == ("review", "ann@shop.example")
    assert Browser().get(path_in(message)).status_code == 200


@pytest.mark.parametrize(
    ("sender", "state"), [("ann@shop.example", "applied"), ("eve@shop.example", "review")]
)
def test_corrected_rows_come_back_by_mail_from_the_same_sender_alone(
    sender, state, mailbox, client_of, mint_key
):
    record = mailbox("two.csv", BROKEN)
    corrected = exported(record, client_of, mint_key).replace(WRONG, RIGHT)
    returned = mailbox("corrected.csv", corrected, sender)

    record.refresh_from_db()
    assert record.state == state
    assert returned.state == ("cancelled" if state == "applied" else "mapping")
    assert set(Line.objects.values_list("address", flat=True)) == {"ann@shop.example"}

"""What real receivers answer is compared with what was delivered, and signed in a receipt."""

import json
from datetime import timedelta

import pytest

from changesets.models import Changeset, Reconciled
from changesets.services import delete
from common import clock
from common.actors import ENGINE
from contracts import services as contracts
from contracts.receipts.document import opened
from contracts.receipts.rows import compare
from contracts.selectors import public_keys_of
from deliveries import services as deliveries
from deliveries.models import Delivery
from deliveries.tasks import dispatch_due
from imports.models import ImportRecord
from licensing.models import Tenant
from tests.deliveries.conftest import answers as answering
from tests.deliveries.conftest import drops, make_host
from tests.imports.conftest import carry_on, client, owner
from tests.references.conftest import V1, apply, bring, entry, know, published

__all__ = ["apply", "bring", "client", "know", "make_host", "owner", "published"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = ["Ada L.", "Bob M.", "Cyd N.", "Dee O."]  # no text in base64 has a space
PERSON = {"key": "id", "validations": [{"validate": "unique"}]}


def results(*statuses, first=0) -> bytes:
    """Return an answer about rows; None leaves a row out."""
    results = [{"row": first + n, "status": word} for n, word in enumerate(statuses) if word]
    return json.dumps({"results": results}).encode()


@pytest.fixture
def host(make_host, owner, settings):
    """Return a function that starts a receiver with a plan and registers it."""
    from ipaddress import ip_network

    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)

    def host(*plan, **wishes):
        made = make_host(*plan)
        wishes.setdefault("actions", ["submit", "revert"])
        deliveries.register(tenant=owner, url=made.url, at=clock.now(), **wishes)
        return made

    return host


@pytest.fixture
def imported(published, bring, apply, know):
    """Import four people, of whom Ada and Bob are known, as they are and with another name."""

    def imported():
        published([entry("person", PERSON, "name")])
        know(
            "person",
            a={"id": "1", "name": "Ada"},
            b={"id": "2", "name": "Bo"},
        )
        return apply(bring({"person.id": ["1", "2", "3", "4"], "person.name": NAMES}))

    return imported


def send(record) -> None:
    """Send what is due, and what waits for another attempt, with the real sender."""
    for _ in range(3):
        Delivery.objects.filter(state="pending").update(due_at=clock.now() - timedelta(seconds=1))
        dispatch_due()


def details(client, record):
    return client.get(f"{V1}/changesets/{record['changesetId']}").json()


def proof(client, record, query=""):
    answer = client.get(f"{V1}/changesets/{record['changesetId']}/proof?{query}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def outcomes(client, record, query="") -> list[tuple[int, str]]:
    return [(item["row"], item["outcome"]) for item in proof(client, record, query)["items"]]


def receipt(client, record, status=200):
    answer = client.get(f"{V1}/imports/{record['recordId']}/receipt")
    assert answer.status_code == status, answer.content
    return answer


def test_each_row_is_compared_with_what_was_known(client, imported, host):
    host(answering(200, results("created", "updated", "updated", None)), label="Webshop")
    record = imported()
    send(record)

    assert outcomes(client, record) == [
        (0, "differs"),  # known and as it was, yet created
        (1, "agreed"),
        (2, "differs"),  # new, yet updated
        (3, "notAnswered"),
    ]
    counts = details(client, record)["counts"]
    assert {name: counts[name] for name in ("agreed", "differs", "refused", "notAnswered")} == {
        "agreed": 1, "differs": 2, "refused": 0, "notAnswered": 1,
    }  # fmt: skip
    (shop,) = details(client, record)["proof"]
    assert (shop["label"], shop["rows"], shop["agreed"]) == ("Webshop", 4, 1)


def test_each_receiver_is_counted_for_itself_in_parts_and_pages(client, imported, host):
    host(answering(200, results("unchanged", "refused")), label="A", max_rows_per_delivery=2)
    host(answering(200), label="B")
    record = imported()
    send(record)

    shown = [
        (item["label"], item["agreed"], item["differs"], item["refused"], item["notAnswered"])
        for item in proof(client, record)["receivers"]
    ]
    assert shown == [("A", 1, 3, 2, 0), ("B", 0, 0, 0, 4)]
    paged, cursor = [], "0"
    while cursor is not None:
        page = proof(client, record, f"limit=3&cursor={cursor}")
        paged += [(item["webhookId"], item["row"]) for item in page["items"]]
        cursor = page["next"]
    first, second = (item["webhookId"] for item in proof(client, record)["receivers"])
    assert paged == [*((first, row) for row in range(4)), *((second, row) for row in range(4))]
    assert [row for row, _ in outcomes(client, record, "outcome=differs")] == [1, 2, 3]
    assert outcomes(client, record, f"webhookId={second}&outcome=agreed") == []


def test_a_late_answer_and_a_second_one_are_counted_when_they_come(client, imported, host):
    made = host(
        drops, answering(503), answering(200, results("unchanged", None, "created", "created"))
    )
    record = imported()
    assert outcomes(client, record) == [(row, "notAnswered") for row in range(4)]

    send(record)
    assert len(made.received) == 3
    assert [outcome for _, outcome in outcomes(client, record)] == [
        "agreed",
        "notAnswered",
        "agreed",
        "agreed",
    ]

    made.plan[:] = [answering(200, results("unchanged", "failed"))]
    delivery = Delivery.objects.get(action="submit")
    deliveries.redeliver(delivery=delivery, actor=ENGINE, at=clock.now())
    send(record)
    assert [outcome for _, outcome in outcomes(client, record)] == [
        "agreed",
        "differs",
        "notAnswered",
        "notAnswered",
    ]
    assert Reconciled.objects.get().attempts == 4


def test_an_answer_that_names_a_row_twice_is_not_counted(client, imported, host):
    twice = {"results": [{"row": 0, "status": "created"}] * 2}
    host(answering(200, json.dumps(twice).encode()))
    record = imported()
    send(record)

    assert {outcome for _, outcome in outcomes(client, record)} == {"notAnswered"}


def test_answers_are_read_once_and_survive_their_purge(client, imported, host, owner):
    host(answering(200, results("unchanged", "updated", "created", "refused")))
    record = imported()
    send(record)
    counted = details(client, record)["proof"]

    row = ImportRecord.objects.get(public_id=record["recordId"])
    before = opened(receipt(client, record).content, public_keys_of(owner))
    delete(record=row, actor=ENGINE, at=clock.now())

    assert details(client, record)["proof"] == counted
    after = opened(receipt(client, record).content, public_keys_of(owner))
    assert (after.rows, after.receivers) == (before.rows, before.receivers)
    assert (
        client.get(f"{V1}/changesets/{record['changesetId']}/proof").json()["code"] == "rows_purged"
    )


def test_another_tenant_sees_neither_proof_nor_receipt(client, imported, host):
    host(answering(200))
    record = imported()
    stranger = Tenant.objects.create(public_id="tnt_stranger", created_at=clock.now())
    Changeset.objects.update(tenant=stranger)
    ImportRecord.objects.update(tenant=stranger)

    assert client.get(f"{V1}/changesets/{record['changesetId']}/proof").status_code == 404
    assert receipt(client, record, status=404).json()["code"] == "unknown_import"


def test_the_receipt_commits_to_the_rows_that_the_receiver_got(
    client, imported, host, owner, tmp_path
):
    made = host(answering(200, results("unchanged", "updated", "created", "refused")))
    record = imported()
    send(record)

    answer = receipt(client, record)
    signed = opened(answer.content, public_keys_of(owner))

    rows = tmp_path / "rows.jsonl"
    got = json.loads(made.received[0].body)["rows"]
    rows.write_text("".join(f"{json.dumps(row)}\n" for row in got), "utf-8")
    assert compare(rows, signed.rows) == ()
    (receiver,) = signed.receivers
    assert (receiver.agreed, receiver.differs, receiver.refused) == (3, 1, 1)
    assert (receiver.deliveries, signed.counts.delivered) == ({"delivered": 1}, 4)
    assert (
        answer["content-disposition"] == f'attachment; filename="receipt-{record["recordId"]}.json"'
    )
    text = answer.content.decode()
    assert [
        name for name in (*NAMES, "person.name", record["filename"] or "?") if name in text
    ] == []


def test_a_receipt_says_the_state_at_its_time(client, imported, host, owner):
    host(answering(200))
    record = imported()
    send(record)
    before = opened(receipt(client, record).content, public_keys_of(owner))
    answer = client.post(
        f"{V1}/changesets/{record['changesetId']}/revert", {"force": True}, format="json"
    )
    assert answer.status_code == 202, answer.content
    carry_on(client, record["recordId"])
    send(record)
    from changesets.follow_up import follow_due

    follow_due()

    after = opened(receipt(client, record).content, public_keys_of(owner))
    assert (before.state, after.state) == ("applied", "reverted")
    assert before.rows == after.rows


def test_a_rotated_key_still_verifies_and_a_revoked_one_does_not(client, imported, host, owner):
    host(answering(200))
    text = receipt(client, imported()).content
    contracts.rotate_key(tenant=owner, at=clock.now())
    kid = opened(text, public_keys_of(owner)).issuer.key_id

    from contracts.receipts.document import ReceiptKeyUnknown
    from contracts.selectors import key_of

    contracts.revoke_key(key=key_of(owner, kid), at=clock.now())
    with pytest.raises(ReceiptKeyUnknown, match="revoked"):
        opened(text, public_keys_of(owner))


def test_an_import_that_is_not_applied_has_no_receipt(client, published, bring):
    published([entry("person", "name")])
    record = bring({"person.name": NAMES})

    assert receipt(client, record, status=409).json()["code"] == "not_applied"


def test_an_apply_of_an_earlier_version_gets_its_hashes_when_asked(client, imported, host, owner):
    host(answering(200))
    record = imported()
    first = opened(receipt(client, record).content, public_keys_of(owner)).rows
    Changeset.objects.update(evidence=None)

    assert opened(receipt(client, record).content, public_keys_of(owner)).rows == first
    assert Changeset.objects.get().evidence is not None


def test_every_type_is_spelled_as_in_its_delivery(client, published, bring, apply, owner, tmp_path):
    """The rows that are read back as JSON lines have the hashes of the columns."""
    types = {"n": "float", "d": "date", "t": "string", "é": "string", "b": "boolean"}
    published([entry("x", *({"key": key, "columnType": kind} for key, kind in types.items()))])
    texts = {
        "x.n": ["1.50", "0.0000001", "12345678901234567890.5", "-0.0"],
        "x.d": ["2026-01-02", "2026-01-03", "", "2026-01-04"],
        "x.t": ['a"b', "tab\tx", "é\u2028", "\\"],
        "x.é": ["1", "", "3", "4"],
        "x.b": ["yes", "no", "", "yes"],
    }
    record = apply(bring(texts), applyMode="browser")
    signed = opened(receipt(client, record).content, public_keys_of(owner))

    address = f"{V1}/imports/{record['recordId']}/results?stream=true"
    rows = tmp_path / "rows.jsonl"
    rows.write_bytes(b"".join(client.get(address).streaming_content))
    assert signed.rows.count > 0
    assert compare(rows, signed.rows) == ()

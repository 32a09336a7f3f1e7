"""A registration with a row limit gets an import as several deliveries."""

import json
from datetime import UTC, datetime
from ipaddress import ip_network

import pytest

from changesets import services
from changesets.bodies import TooManyParts
from changesets.services import write_deliveries
from common import clock
from deliveries import bodies
from deliveries.models import Delivery
from deliveries.services import register
from imports.models import ImportRecord
from imports.progress import Reporter
from tests.staging.conftest import ADA

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def applied(in_review, settings):
    """Return a function that applies six rows, invalid ones included, to registrations."""
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    settings.WEBHOOK_CALLS_PER_MINUTE = 1_000

    def applied(*max_rows):
        record = in_review()
        for number, most in enumerate(max_rows):
            url = f"http://127.0.0.1:9/{number}"
            register(tenant=record.tenant, url=url, at=NOON, max_rows_per_delivery=most)
        services.apply(
            record=record, apply_mode="webhook", invalid_rows="include", actor=ADA, at=NOON
        )
        record.refresh_from_db()
        write_deliveries(record, Reporter(record))
        return record

    return applied


def deliveries(record, number: int = 0) -> list[tuple[Delivery, bytes]]:
    sent = Delivery.objects.filter(
        record_id=record.public_id, registration__url=f"http://127.0.0.1:9/{number}"
    )
    return [(delivery, bodies.content(delivery)) for delivery in sent.order_by("pk")]


def test_each_part_is_a_delivery_of_its_own_and_the_rows_add_up(applied):
    record = applied(4, None)

    parts = [(delivery, json.loads(body)) for delivery, body in deliveries(record)]
    ((whole, rows),) = [(delivery, json.loads(body)) for delivery, body in deliveries(record, 1)]

    assert [body["deliveryId"] for _, body in parts] == [
        delivery.public_id for delivery, _ in parts
    ]
    assert len({delivery.public_id for delivery, _ in [*parts, (whole, rows)]}) == 3
    assert (
        [body["rowCount"] for _, body in parts]
        == [delivery.row_count for delivery, _ in parts]
        == [4, 2]
    )
    assert [row for _, body in parts for row in body["rows"]] == rows["rows"]
    assert [body["batch"] for _, body in parts] == [
        {"index": 1, "count": 2},
        {"index": 2, "count": 2},
    ]
    assert "batch" not in rows
    assert (whole.row_count, rows["rowCount"]) == (6, 6)


def test_issues_count_the_rows_of_their_part(applied):
    record = applied(4, None)

    parts = [json.loads(body) for _, body in deliveries(record)]
    ((_, whole),) = deliveries(record, 1)

    numbered = [
        {**issue, "row": issue["row"] + first}
        for first, body in zip((0, 4), parts, strict=True)
        for issue in body["rowIssues"]
    ]
    assert numbered == json.loads(whole)["rowIssues"]
    for body in parts:
        assert all(
            body["rows"][issue["row"]][issue["field"]] is None for issue in body["rowIssues"]
        )


def test_the_bytes_of_a_part(applied):
    record = applied(4)

    delivery, body = deliveries(record)[1]

    mapping = ",".join(f'"{n}":"e.{n}"' for n in ("id", "amount", "paid", "mail", "note"))
    assert body.decode() == (
        f'{{"event":"import.apply","deliveryId":"{delivery.public_id}","tenantId":"tnt_owner",'
        f'"recordId":"{record.public_id}","action":"submit","rowCount":2,'
        f'"mapping":{{{mapping}}},"rows":[\n'
        '{"e.id":null,"e.amount":5,"e.paid":"2024-05-01","e.mail":null,"e.note":"green"},\n'
        '{"e.id":"K6","e.amount":600,"e.paid":"2024-06-01","e.mail":"f@g.de","e.note":"Red"}\n'
        '],"occurredAt":"2026-11-20T12:00:00.000Z","catalogKey":"t","catalogVersion":1,'
        '"rowIssues":[{"row":0,"field":"e.mail","code":"not_an_email","value":"nope",'
        '"message":"“nope” is not an e-mail address."}],'
        '"batch":{"index":2,"count":2}}'
    )


def test_an_import_that_fits_is_one_delivery_without_a_batch(applied):
    ((delivery, body),) = deliveries(applied(6))

    assert "batch" not in json.loads(body)
    assert delivery.row_count == 6


def test_more_parts_than_anybody_means_are_refused_before_anything_freezes(
    in_review, settings, monkeypatch
):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    monkeypatch.setattr("changesets.bodies.MOST_PARTS", 5)
    record = in_review()
    register(tenant=record.tenant, url="http://127.0.0.1:9/", at=NOON, max_rows_per_delivery=1)

    with pytest.raises(TooManyParts, match="6 rows at 1 per delivery need 6 deliveries"):
        services.apply(
            record=record,
            apply_mode="webhook",
            invalid_rows="include",
            actor=ADA,
            at=clock.now(),
        )

    record.refresh_from_db()
    assert record.state == ImportRecord.State.REVIEW
    assert not record.changesets.exists()

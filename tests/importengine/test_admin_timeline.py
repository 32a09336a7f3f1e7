"""One page of an import tells what happened to it, with ways to everything that belongs to it."""

import pytest
from django.test import Client

from common import clock
from deliveries.models import Attempt, Delivery
from imports.models import ImportRecord
from ledger.models import Question
from tests.importengine.admin_rows import CELL, add_rows, tenant

pytestmark = pytest.mark.django_db
LIST = "/admin/imports/importrecord/"


@pytest.fixture
def rows():
    """Rows whose delivery belongs to the import, and was refused."""
    rows = {name: added[0] for name, added in add_rows(tenant("tnt_ours")).items()}
    record, delivery, now = rows["importrecord"], rows["delivery"], clock.now()
    about = {"record_id": record.public_id, "state": "rejected", "due_at": None, "settled_at": now}
    Delivery.objects.filter(pk=delivery.pk).update(**about)
    ImportRecord.objects.filter(pk=record.pk).update(scope="customer-4711", meta={"case": "K-9"})
    Attempt.objects.filter(delivery=delivery).delete()
    Attempt.objects.create(
        delivery=delivery, number=1, started_at=now, finished_at=now, http_status=422, latency_ms=7
    )
    return rows


def test_the_timeline_leads_to_the_answer_of_each_receiver(rows, admin_client: Client) -> None:
    page = admin_client.get(f"{LIST}{rows['importrecord'].pk}/change/").content.decode()

    assert "answered 422, attempt 1" in page
    assert f"/admin/deliveries/delivery/?q={rows['delivery'].public_id}" in page
    assert f"/admin/common/event/?q={rows['importrecord'].public_id}" in page
    assert CELL not in page


@pytest.mark.parametrize("wanted", ["customer-4711", "K-9"])
def test_an_import_is_found_by_what_the_host_calls_it(
    wanted: str, rows, admin_client: Client
) -> None:
    add_rows(tenant("tnt_other"))

    page = admin_client.get(LIST, {"q": wanted}).content.decode()

    assert rows["importrecord"].public_id in page
    assert "tnt_other" not in page.split("result_list")[1].split("</table>")[0].lower()


def test_the_list_shows_and_filters_imports_that_a_receiver_does_not_have(
    rows, admin_client: Client
) -> None:
    add_rows(tenant("tnt_other"))

    page = admin_client.get(LIST, {"delivery": "failing"}).content.decode()

    assert page.count(", not delivered</span>") == 1


def test_a_delivery_leads_back_to_its_import(rows, admin_client: Client) -> None:
    address = f"/admin/deliveries/delivery/{rows['delivery'].pk}/change/"

    page = admin_client.get(address).content.decode()

    assert f"{LIST}?q={rows['importrecord'].public_id}" in page


@pytest.mark.parametrize(
    ("attempts", "expected"), [(0, 'plain">pending<'), (2, 'error">pending, n')]
)
def test_a_delivery_that_is_tried_again_is_red(
    attempts: int, expected: str, rows, admin_client: Client
) -> None:
    about = {"state": "pending", "due_at": clock.now(), "settled_at": None, "attempts": attempts}
    Delivery.objects.filter(pk=rows["delivery"].pk).update(**about)

    page = admin_client.get("/admin/deliveries/delivery/").content.decode()

    assert expected in page


@pytest.mark.parametrize(("blocking", "kind"), [(True, "error"), (False, "plain")])
def test_a_question_that_an_import_waits_for_is_red(
    blocking: bool, kind: str, rows, admin_client: Client
) -> None:
    about = {"state": "open", "blocking": blocking, "answered_at": None}
    Question.objects.filter(pk=rows["question"].pk).update(**about)

    page = admin_client.get("/admin/ledger/question/").content.decode()

    assert f'class="tag {kind}">open<' in page


@pytest.mark.parametrize(
    "model", ["deliveries/delivery", "ledger/question", "changesets/changeset", "common/event"]
)
def test_what_belongs_to_an_import_leads_back_to_it(model: str, rows, admin_client: Client) -> None:
    row, record_id = rows[model.partition("/")[2]], rows["importrecord"].public_id
    place = {"question": "subject", "event": "record", "delivery": "record_id"}
    if attribute := place.get(model.partition("/")[2]):
        type(row).objects.filter(pk=row.pk).update(**{attribute: record_id})

    page = admin_client.get(f"/admin/{model}/{row.pk}/change/").content.decode()

    assert f"/admin/imports/importrecord/?q={record_id}" in page

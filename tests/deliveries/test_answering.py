"""A host may report results for rows; whatever it reports, the rows arrived."""

import json

import pytest

from common.actors import ENGINE
from deliveries import services
from deliveries.answer import MOST_BYTES, NOTHING, HostResults, read_results
from deliveries.models import Attempt, Delivery
from deliveries.services.attempt import new_client
from deliveries.services.dispatch import Dispatcher
from tests.deliveries.conftest import NOON

ROW = {"row": 0, "status": "created"}


def results_of(answer: object, rows: int = 3) -> HostResults:
    content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    return read_results(content[:100].decode("utf-8", "replace"), content, row_count=rows)


def test_results_are_kept_with_the_members_that_are_known():
    before = {"p.n": 1, "p.tags": ["a", "b"], "p.x": None}
    rows = [{**ROW, "row": 2, "before": before, "message": "was there"}, ROW | {"color": "red"}]

    assert results_of({"results": rows, "ok": True}).rows == [rows[0], ROW]


@pytest.mark.parametrize(
    "answer",
    [b"", b"ok", b"{}", b"[]", b'{"received": true}', b'"results"', b'["results"]', b"\xff\xfe"],
)
def test_any_other_answer_is_as_good(answer):
    assert results_of(answer) == NOTHING


@pytest.mark.parametrize(
    ("results", "why"),
    [
        ({}, "not a list"),
        ([1], "in item 1, there is no object"),
        ([ROW, {"row": 3, "status": "x"}], "in item 2, row is not a number from 0 to 2"),
        ([{"row": -1, "status": "x"}], "row is not"),
        ([{"row": True, "status": "x"}], "row is not"),  # True equals 1 in Python
        ([{"row": 0}], "status is not"),
        ([{"row": 0, "status": "x" * 41}], "status is not"),
        ([ROW | {"message": "x" * 1_001}], "message is not"),
        ([ROW | {"before": [1]}], "before is not"),
        ([ROW | {"before": {"p.n": {"deep": 1}}}], "before is not"),
        ([ROW, ROW], "in item 2, its row appeared before"),
    ],
)
def test_what_is_not_of_the_shape_is_not_kept_and_the_note_says_why(results, why):
    answer = results_of({"results": results})

    assert answer.rows is None
    assert why in answer.note


@pytest.mark.parametrize(
    "answer", [b'{"results": [', b'{"results": NaN}', b'{"results": ["\\ud800"]}']
)
def test_what_is_not_json_is_not_kept(answer):
    assert "not JSON" in results_of(answer).note


def test_an_answer_that_was_too_long_is_said_to_be():
    assert "longer" in read_results('{"results": [', b"", row_count=3).note


@pytest.fixture
def sent(make_host, make_registration, make_delivery):
    """Return a function that delivers two rows to a host with a given answer."""

    def sent(*bodies: bytes, status: int = 200) -> Delivery:
        def answers(body: bytes):
            def step(call) -> None:
                call.take()
                call.send_response(status)
                call.send_header("content-length", str(len(body)))
                call.end_headers()
                call.wfile.write(body)

            return step

        host = make_host(*map(answers, bodies))
        delivery = make_delivery(make_registration(host.url), rows=2)
        Dispatcher(client=new_client()).run()
        delivery.refresh_from_db()
        return delivery

    return sent


def long_answer(size: int) -> bytes:
    return b'{"results":[{"row":1,"status":"created"}],"padding":"' + b"x" * size + b'"}'


@pytest.mark.django_db(transaction=True)
def test_results_longer_than_the_head_of_an_answer_are_recorded(sent):
    delivery = sent(long_answer(500_000))

    assert delivery.state == "delivered"
    assert delivery.host_results == [{"row": 1, "status": "created"}]
    assert len(Attempt.objects.get(delivery=delivery).response_head) == 2_000


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("answer", [long_answer(MOST_BYTES), b'{"results": [{"row": 9}]}'])
def test_results_that_are_not_kept_leave_the_delivery_delivered(sent, answer):
    delivery = sent(answer)

    assert (delivery.state, delivery.host_results) == ("delivered", None)
    assert "not stored" in delivery.host_results_note


@pytest.mark.django_db(transaction=True)
def test_a_refusal_has_no_results(sent):
    delivery = sent(b'{"results":[{"row":1,"status":"created"}]}', status=409)

    assert (delivery.state, delivery.host_results, delivery.host_results_note) == (
        "rejected",
        None,
        "",
    )


@pytest.mark.django_db(transaction=True)
def test_a_repeated_delivery_that_says_nothing_leaves_what_was_said(sent):
    delivery = sent(b'{"results":[{"row":1,"status":"created"}]}', b"seen before")

    services.redeliver(delivery=delivery, actor=ENGINE, at=NOON)
    Dispatcher(client=new_client()).run()

    delivery.refresh_from_db()
    assert delivery.attempts == 2
    assert delivery.host_results == [{"row": 1, "status": "created"}]


@pytest.mark.django_db(transaction=True)
def test_results_go_with_the_bytes_when_an_import_is_purged(sent):
    delivery = sent(b'{"results":[{"row":1,"status":"created"}]}')

    services.purge_import(tenant=delivery.tenant, record_id="rec_1", actor=ENGINE, at=NOON)

    delivery.refresh_from_db()
    assert delivery.host_results is None

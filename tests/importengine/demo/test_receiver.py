"""The demo receiver: what it stores, once, and what it refuses."""

import json
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import Client

from importengine.demo import inbox
from importengine.demo import receiver as receiving
from tests.importengine.demo.conftest import SECRET, answer, delivery, inbox_of, post

pytestmark = pytest.mark.urls("tests.importengine.demo.urls")


def test_a_verified_delivery_is_shown_with_its_headers_and_rows(host):
    assert post(host, delivery()) == 200

    (item,) = inbox_of(host)
    assert item["verified"]
    assert item["deliveryId"] == "dlv_01HQ"
    assert item["headers"]["x-import-event"] == "import.apply"
    assert item["rows"] == [{"orders.customer": "Café 0"}, {"orders.customer": "Café 1"}]


def test_the_signed_bytes_are_kept_as_they_came(host):
    body = delivery(padding="ü  ")
    post(host, body)

    answer = host.get("/demo/deliveries/dlv_01HQ/body")

    assert b"".join(answer.streaming_content) == body


def test_a_repeated_delivery_is_kept_once_and_counted(host):
    answers = [answer(host, delivery()), answer(host, delivery(), age_s=10)]

    (item,) = inbox_of(host)
    assert [each.status_code for each in answers] == [200, 200]
    assert [each.json()["status"] for each in answers] == ["stored", "seen"]
    assert len(item["arrivals"]) == 2


def test_of_many_same_deliveries_at_once_one_is_kept(host):
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda _: post(Client(), delivery(rows=200)), range(8)))

    (item,) = inbox_of(host)
    assert codes == [200] * 8
    assert len(item["arrivals"]) == 8


@pytest.mark.parametrize(
    ("body", "signing", "code"),
    [
        (delivery(), {"secret": "whsec_other"}, 401),
        (delivery(), {"age_s": 330}, 401),
        (b"{}", {}, 400),
        (delivery("../../keys"), {}, 400),  # the id names a file
    ],
)
def test_what_is_refused_is_shown_with_the_reason_and_without_a_body(host, body, signing, code):
    assert post(host, body, **signing) == code

    (item,) = inbox_of(host)
    assert not item["verified"]
    assert item["problem"]
    assert {path.suffix for path in inbox.folder().iterdir()} == {".json"}


def test_a_request_without_a_signature_is_malformed(host):
    answer = host.post("/demo/receiver", delivery(), content_type="application/json")

    assert answer.status_code == 400


def test_before_setup_the_engine_is_asked_to_come_back(host, data_dir):
    (data_dir / "demo" / "signing-secret").unlink()

    assert post(host, delivery()) == 503


def test_while_a_secret_rotates_the_file_may_hold_both(host, data_dir):
    (data_dir / "demo" / "signing-secret").write_text(f"whsec_new\n{SECRET}\n")

    assert post(host, delivery()) == 200


def test_a_body_over_the_limit_is_refused(host, monkeypatch):
    monkeypatch.setattr(receiving, "MAX_BODY_BYTES", 100)

    assert post(host, delivery()) == 413


def test_only_the_newest_are_kept_and_refusals_push_nothing_out(host, monkeypatch):
    monkeypatch.setattr(inbox, "KEPT", 2)
    for number in range(3):
        post(host, delivery(f"dlv_{number}"))
        os.utime(inbox.folder() / f"dlv_{number}.json", (number, number))
    for _ in range(3):
        post(host, b"{}", secret="whsec_other")

    items = inbox_of(host)
    assert sorted(item["deliveryId"] for item in items if item["verified"]) == ["dlv_1", "dlv_2"]
    assert sum(not item["verified"] for item in items) == 2
    assert not (inbox.folder() / "dlv_0.body").exists()


def test_the_list_may_be_narrowed_to_one_import(host):
    post(host, delivery("dlv_a", recordId="rec_a"))
    post(host, delivery("dlv_b", recordId="rec_b"))

    assert [item["deliveryId"] for item in inbox_of(host, "?recordId=rec_b")] == ["dlv_b"]


def test_a_long_delivery_is_listed_with_its_first_rows_only(host):
    post(host, delivery(rows=inbox.SHOWN_ROWS + 1))

    (item,) = inbox_of(host)
    assert (item["rowCount"], len(item["rows"])) == (inbox.SHOWN_ROWS + 1, inbox.SHOWN_ROWS)


def test_nothing_else_in_the_folder_can_be_asked_for(host, data_dir):
    (data_dir / "demo" / "other.body").write_text(json.dumps({}))

    assert host.get("/demo/deliveries/other/body").status_code == 404

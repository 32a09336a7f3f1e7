"""A demo host with an empty inbox, and a function that signs like an engine."""

import hashlib
import hmac
import json
import time

import pytest
from django.test import Client

SECRET = "whsec_ZGVtbw"


@pytest.fixture
def data_dir(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "signing-secret").write_text(f"{SECRET}\n")
    return tmp_path


@pytest.fixture
def host(data_dir):
    return Client()


def delivery(delivery_id="dlv_01HQ", *, rows=2, **members):
    body = {
        "event": "import.apply",
        "deliveryId": delivery_id,
        "tenantId": "tnt_demo",
        "recordId": "rec_01HQ",
        "action": "submit",
        "rowCount": rows,
        "mapping": {"Kunde": "orders.customer"},
        "rows": [{"orders.customer": f"Café {at}"} for at in range(rows)],
        "occurredAt": "2026-11-20T12:00:00.000Z",
    }
    return json.dumps({**body, **members}).encode()


def post(host, body, **signing):
    return answer(host, body, **signing).status_code


def answer(host, body, *, secret=SECRET, age_s=0):
    t = int(time.time()) - age_s
    signature = hmac.new(secret.encode(), f"{t}.".encode() + body, hashlib.sha256).hexdigest()
    headers = {"x-import-signature": f"t={t},v1={signature}", "x-import-event": "import.apply"}
    return host.post("/demo/receiver", body, content_type="application/json", headers=headers)


def inbox_of(host, query=""):
    return host.get(f"/demo/deliveries{query}").json()["items"]

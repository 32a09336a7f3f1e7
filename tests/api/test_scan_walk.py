"""A scan from upload to a verified delivery, over HTTP alone; only the workers are called."""

import json
from dataclasses import replace
from ipaddress import ip_network

import pytest
from PIL import Image, ImageFilter

from tests.api.test_whole_walk import V1, Person, delivered
from tests.deliveries.conftest import make_host
from tests.jobs import run_job_here
from tests.receiving import assert_delivery
from tests.scans import HEADER, ROWS, picture, recognition, saved

__all__ = ["make_host"]  # fixtures

FIELDS = [name.lower() for name in HEADER]
CATALOG = {"key": "items", "title": "Items", "keySeparator": ".", "entries": [
    {"id": "item", "fields": [{"key": key, "columnType": "string"} for key in FIELDS]}
]}  # fmt: skip
TILT, BLUR = 0.7, 0.9  # degrees; pixels at 300 dots per inch


@pytest.fixture
def person(mint_key, client_of, settings, monkeypatch) -> Person:
    about = recognition()

    def recognising(folder, request, **members):
        return run_job_here(folder, replace(request, recognition=about), **members)

    monkeypatch.setattr("sandbox.bench.run_job", recognising)
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    return Person(client_of(mint_key("tnt_office", entitlements=("catalogEditor",))))


@pytest.fixture
def scan(tmp_path):
    """Return a page as a scanner gives it: 300 dots per inch, tilted and not quite sharp."""
    tilted = picture().rotate(TILT, resample=Image.Resampling.BICUBIC, fillcolor=255)
    return saved(tmp_path / "scan.png", tilted.filter(ImageFilter.GaussianBlur(BLUR)))


@pytest.mark.django_db(transaction=True)  # the dispatcher's threads have connections of their own
def test_a_scan_is_recognised_looked_at_and_delivered(person, make_host, scan):
    host = make_host()
    secret = person.call("post", "webhooks", {"url": host.url}, expect=201)["signingSecret"]
    person.call("put", "catalogs/items/draft", CATALOG)
    person.call("post", "catalogs/items/publish")

    with scan.open("rb") as file:
        sent = {"file": file, "autoMap": "true"}
        answer = person.call("post", "imports", data=sent, expect=202)
    person.url = f"{V1}/imports/{answer['recordId']}"
    assert person.record()["state"] == "review"
    unseen = person.call("post", "/apply", {"openQuestions": "dismiss"}, expect=409)
    assert unseen["code"] == "open_questions"
    for cell in person.call("get", "/rows/0/explain")["cells"]:
        assert 0 < cell["places"][0]["confidence"] <= 100
        assert cell["places"][0]["clip"].startswith("tables/0/page/1?box=")

    (question,) = person.call("get", "/questions")["items"]
    assert question["kind"] == "recognised_text"
    person.call("post", f"questions/{question['id']}/answer", {"value": "compared"}, expect=202)
    person.record()
    person.call("post", "/apply", {}, expect=202)
    person.record()
    (received,) = delivered(host)

    assert_delivery(received, url=host.url, secret=secret)
    rows = json.loads(received.body)["rows"]
    assert [[row[f"item.{key}"] for key in FIELDS] for row in rows] == ROWS
    (delivery,) = person.record()["deliveries"]
    assert (delivery["state"], delivery["attempts"]) == ("delivered", 1)

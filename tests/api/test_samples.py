"""The API examples work exactly as shown, on an engine with the samples."""

from io import StringIO
from ipaddress import ip_network

import pytest
from django.core.management import call_command

from api.samples import PATHS, SAMPLES
from imports.models import ImportRecord
from licensing.tokens import keyfiles
from tests.api.documented import openapi_document
from workflow.worker import advance

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(settings, data_folder, client_of):
    """Return a client with the key that ``make run`` prints."""
    pair = keyfiles.write_key_pair(data_folder / "keys")
    settings.LICENSE_PUBLIC_KEY = pair.public_key.read_text("utf-8")
    settings.DEMO, settings.WEBHOOK_ALLOW_NETWORKS = True, (ip_network("127.0.0.0/8"),)
    call_command("setup", "--samples", stdout=StringIO())
    for public_id in SAMPLES:
        advance(public_id)
    return client_of((data_folder / "keys" / "demo-license").read_text("utf-8"))


def examples():
    """Yield method, path and body of each call that the document shows with a sample."""
    for path, methods in openapi_document()["paths"].items():
        for method, operation in methods.items():
            if operation["operationId"] not in PATHS:
                continue
            places = [
                parameter for parameter in operation["parameters"] if parameter["in"] == "path"
            ]
            contents = operation.get("requestBody", {"content": {"": {}}})["content"]
            body = next(iter(contents.values())).get("example")
            yield method, path.format(**{place["name"]: place["example"] for place in places}), body


def test_every_example_with_a_sample_does_what_it_says(client):
    for method, path, body in examples():
        sent = {} if body is None else {"data": body, "format": "json"}
        answer = getattr(client, method)(path, **sent)

        assert 200 <= answer.status_code < 300, (method, path, answer.content)


def test_a_second_setup_leaves_the_samples_as_they_are(client):
    ImportRecord.objects.get(public_id=SAMPLES[0]).delete()
    before = set(ImportRecord.objects.values_list("pk", flat=True))

    call_command("setup", "--samples", stdout=StringIO())

    assert set(ImportRecord.objects.values_list("pk", flat=True)) == before

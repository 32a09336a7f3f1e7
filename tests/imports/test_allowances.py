"""One tenant does not fill the engine for the others."""

import pytest

from tests.imports.conftest import client, owner, publish

__all__ = ["client", "owner", "publish"]  # fixtures

pytestmark = pytest.mark.django_db
IMPORTS = "/api/import/v1/imports"


@pytest.fixture
def send(publish, client):
    publish("orders")

    def send(who=client, **members):
        body = {"text": "Artikel,Menge\nA,1\n", "catalogKey": "orders", **members}
        return who.post(IMPORTS, body, format="json")

    return send


def test_a_tenant_has_so_many_imports_in_work(send, settings):
    settings.TENANT_IMPORTS_AT_WORK = 2

    answers = [send() for _ in range(3)]

    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert answers[2].json()["code"] == "too_many_imports"
    assert answers[2]["Retry-After"] == "10"


def test_a_tenant_has_so_much_room(send, settings, client):
    settings.TENANT_STORED_BYTES = 40

    answers = [send() for _ in range(3)]

    assert [answer.status_code for answer in answers] == [202, 202, 507]
    assert answers[2].json()["code"] == "too_much_stored"


def test_room_comes_back_with_what_is_deleted(send, settings, client):
    settings.TENANT_STORED_BYTES = 20
    first = send().json()["recordId"]
    assert send().status_code == 507

    client.delete(f"{IMPORTS}/{first}")

    assert send().status_code == 202


def test_what_was_refused_leaves_no_bytes(send, settings):
    from common import storage

    settings.TENANT_STORED_BYTES = 1

    assert send().status_code == 507
    assert list((storage.root() / "sources").iterdir()) == []

"""One tenant does not fill the engine for the others."""

import pytest

from common import storage
from imports.allowances import stored_by
from tests.imports.conftest import carry_on, client, owner, publish

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


def test_a_tenant_has_so_much_space(send, settings, client):
    settings.TENANT_STORED_BYTES = 40

    answers = [send() for _ in range(3)]

    assert [answer.status_code for answer in answers] == [202, 202, 507]
    assert answers[2].json()["code"] == "too_much_stored"


def test_space_comes_back_with_what_is_deleted(send, settings, client):
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


def test_what_a_host_says_of_an_import_has_a_largest_size(send):
    def options(count):
        many = [{"label": f"Option {n}", "type": "string", "value": f"v{n}"} for n in range(count)]
        return {"context": {"options": {"orders.status": many}}}

    fits, too_large = send(**options(2_000)), send(**options(6_000))

    assert fits.status_code == 202
    assert too_large.status_code == 400
    (error,) = too_large.json()["errors"]
    assert error["pointer"] == "/context"
    assert "at most 256 KiB" in error["detail"]


def test_what_a_host_says_of_an_import_counts_as_stored(send, settings):
    settings.TENANT_STORED_BYTES = 1_000
    region = {"context": {"defaults": {"orders.status": "o" * 1_000}}}

    assert send(**region).status_code == 202
    assert send().status_code == 507


def test_the_files_of_each_revision_count_as_stored(send, settings, client, owner):
    record_id = send().json()["recordId"]
    carry_on(client, record_id)
    before = stored_by(owner)
    address = f"{IMPORTS}/{record_id}"
    settled = client.get(f"{address}/mapping").json()["proposed"] | {"allowMissing": True}

    client.put(f"{address}/mapping", settled, format="json")
    carry_on(client, record_id)
    once = stored_by(owner)
    client.put(f"{address}/mapping", settled, format="json")
    carry_on(client, record_id)
    twice = stored_by(owner)

    def size_of(folder):
        return sum(item.stat().st_size for item in (storage.root() / folder).rglob("*.*"))

    assert once - before == size_of("staged") - (twice - once) + size_of("read")
    assert twice > once


def test_rows_are_not_made_once_more_where_a_tenant_has_its_share(send, settings, client):
    record_id = send().json()["recordId"]
    carry_on(client, record_id)
    address = f"{IMPORTS}/{record_id}"
    settled = client.get(f"{address}/mapping").json()["proposed"] | {"allowMissing": True}
    settings.TENANT_STORED_BYTES = 20
    assert client.put(f"{address}/mapping", settled, format="json").status_code == 202
    assert carry_on(client, record_id)["state"] == "review"

    again = client.put(f"{address}/mapping", settled, format="json")
    reading = client.put(f"{address}/reading", {"headerRows": [0]}, format="json")

    assert [again.status_code, reading.status_code] == [507, 507]
    assert again.json()["code"] == "too_much_stored"
    assert client.get(address).json()["state"] == "review"

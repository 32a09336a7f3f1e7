"""A list imported three times: what the host has after each import, and after each revert."""

import threading
from datetime import timedelta
from ipaddress import ip_network

import pytest

from catalogs import services as catalogs
from changesets.follow_up import follow_due
from common import clock
from common.actors import ENGINE
from deliveries import services as deliveries
from deliveries.models import Delivery
from deliveries.tasks import dispatch_due
from examples.customers.host import CUSTOMERS, HERE, Server, Settings
from tests.api.test_customers import reviewed
from tests.imports.conftest import carry_on, owner

__all__ = ["owner"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)
V1 = "/api/import/v1"
SCOPE = CUSTOMERS["vienna"]["scope"]
FIRST = """Mitgliedsnummer;Name;Telefon;Status
1;Ada;01 2345678;aktiv
2;Bob;01 2345679;aktiv
3;Cyd;;aktiv
"""
SECOND = """Mitgliedsnummer;Name;Telefon;Status
1;Ada;01 2345678;aktiv
2;Bob;01 9999999;pausiert
3;Cyd;;aktiv
4;Dee;;aktiv
"""
THIRD = """Mitgliedsnummer;Name;Telefon;Status
1;Ada;01 2345670;aktiv
2;Bob;01 9999999;aktiv
4;Dee;;aktiv
"""


@pytest.fixture
def host(owner, mint_key, client_of, tmp_path, settings):
    """Return the host of the example: real deliveries reach it, its calls reach the engine here."""
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    text = (HERE / "members.json").read_text("utf-8")
    catalogs.publish_document(tenant=owner, key="members", text=text, at=clock.now(), actor=ENGINE)
    key = client_of(mint_key(entitlements=("catalogOverlays",)))
    server = Server(Settings("http://127.0.0.1:9", "", "", tmp_path / "members.sqlite3"), 0)
    registered = deliveries.register(
        tenant=owner,
        url=f"{server.origin}/apply",
        at=clock.now(),
        actions=["submit", "revert", "delete"],
        include=["changes"],
    )
    server.settings = Settings("", "", registered.secret, tmp_path / "members.sqlite3")

    def call_engine(method, path, body):
        answer = getattr(key, method.lower())(f"{V1}/{path}", body, format="json")
        assert answer.status_code < 300, answer.content
        return answer.json()

    server.call_engine, server.key = call_engine, key
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(host, client_of):
    """Return a function that opens a page of Vienna's, as its host does."""
    return lambda: client_of(host.open_session("vienna"))


def settle():
    """Send what is due, and let its outcome be followed."""
    for _ in range(2):
        Delivery.objects.filter(state="pending").update(due_at=clock.now() - timedelta(seconds=1))
        dispatch_due()
        follow_due()


def applied(page, record, **wishes):
    """Apply an import, and deliver it."""
    answer = page.post(f"{record}/apply", wishes, format="json")
    assert answer.status_code == 202, answer.content
    made = carry_on(page, record.rpartition("/")[2])
    settle()
    return made


def take_back(page, made, **wishes):
    """Revert an import, and deliver that."""
    answer = page.post(f"{V1}/changesets/{made['changesetId']}/revert", wishes, format="json")
    assert answer.status_code == 202, answer.content
    carry_on(page, made["recordId"])
    settle()
    changeset = page.get(f"{V1}/changesets/{made['changesetId']}").json()
    assert (changeset["state"], changeset["hostTold"]) == ("reverted", True)


def planned(page, record):
    counts = page.get(f"{record}/plan").json()["counts"]
    return {name: rows for name, rows in counts.items() if rows}


def members(host):
    """Return name, phone and status of each member, by number."""
    return {
        row["member.number"]: tuple(row[f"member.{key}"] for key in ("name", "phone", "status"))
        for row in host.store.members_of("vienna").values()
    }


def known(host):
    """Return the numbers of the members that the engine knows."""
    answer = host.key.get(f"{V1}/references/member?scope={SCOPE}").json()
    return {item["values"]["number"] for item in answer["items"]}


AFTER_FIRST = {
    "1": ("Ada", "+4312345678", "active"),
    "2": ("Bob", "+4312345679", "active"),
    "3": ("Cyd", None, "active"),
}
AFTER_SECOND = {
    **AFTER_FIRST,
    "2": ("Bob", "+4319999999", "paused"),
    "4": ("Dee", None, "active"),
}


def test_a_list_is_imported_three_times_and_taken_back(host, page):
    opened = page()
    first = reviewed(opened, FIRST)
    assert planned(opened, first) == {"new": 3}
    first = applied(opened, first)
    assert members(host) == AFTER_FIRST

    opened = page()
    second = reviewed(opened, SECOND)
    assert planned(opened, second) == {"new": 1, "changed": 1, "unchanged": 2}
    second = applied(opened, second)
    assert members(host) == AFTER_SECOND

    # The host's people change a phone number that the next file changes, too.
    ada = next(
        ref for ref, row in host.store.members_of("vienna").items() if row["member.number"] == "1"
    )
    host.store.edit("vienna", ada, {"member.phone": "+4312345600"})
    edited = {**AFTER_SECOND, "1": ("Ada", "+4312345600", "active")}

    opened = page()
    third = reviewed(opened, THIRD)
    assert planned(opened, third) == {"changed": 2, "unchanged": 1, "missing": 1}
    refused = opened.post(f"{third}/apply", {}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "undecided_fields")
    assert [(field["field"], field["why"]) for field in refused.json()["fields"]] == [
        ("member.phone", "conflict")
    ]
    assert members(host) == edited
    decided = {"fields": {"member.phone": {"conflicts": "host"}}}
    third = applied(opened, third, mode="full", **decided)
    resumed = {**edited, "2": ("Bob", "+4319999999", "active")}
    assert members(host) == {number: resumed[number] for number in ("1", "2", "4")}
    assert known(host) == {"1", "2", "4"}

    take_back(opened, third)
    assert members(host) == edited
    assert known(host) == {"1", "2", "3", "4"}
    take_back(opened, second)
    assert members(host) == {**AFTER_FIRST, "1": edited["1"]}
    # What people changed by hand since is named first.
    refused = opened.post(f"{V1}/changesets/{first['changesetId']}/revert", {}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "built_on")
    assert refused.json()["refs"] == [ada]
    take_back(host.key, first, force=True)
    assert members(host) == {}


def test_a_full_sync_of_another_gym_needs_the_right_to_delete(host, client_of):
    page = client_of(host.open_session("zurich"))
    first = FIRST.replace("Mitgliedsnummer", "Abo-Nr.")
    record = reviewed(page, first)

    refused = page.post(f"{record}/apply", {"mode": "full"}, format="json")

    assert (refused.status_code, refused.json()["code"]) == (403, "right_required")
    assert refused.json()["rights"] == ["deleteKnown"]

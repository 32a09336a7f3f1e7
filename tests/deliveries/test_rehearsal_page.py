"""A registered receiver is rehearsed from its page in the admin, by a worker."""

from datetime import timedelta
from functools import partial
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from common import clock
from common.actors import ENGINE
from deliveries.models import Delivery, Rehearsal
from deliveries.rehearsal import SCENES, Receiver
from licensing.models import Membership, Tenant
from tests.deliveries.conftest import NOON, answers
from workflow import rehearsals, tasks

ORDERS = Path(__file__).parents[2] / "examples" / "catalogs" / "orders.json"


@pytest.fixture(autouse=True)
def published(tenant):
    about = ["--tenant", tenant.public_id]
    call_command("catalog", "publish", str(ORDERS), *about, stdout=StringIO())


@pytest.fixture
def host(make_host):
    return make_host(answers(200))


@pytest.fixture
def registration(make_registration, host):
    return make_registration(host.url)


@pytest.fixture
def sign_in(tenant):
    """Return a function that signs in a member of a group."""

    def sign_in(group: str, role: str = "editor", *, of: Tenant = tenant) -> Client:
        user = get_user_model().objects.create_user(f"{group}-{role}", is_staff=True)
        user.groups.add(Group.objects.get(name=group))
        Membership.objects.create(user=user, tenant=of, role=role)
        browser = Client()
        browser.force_login(user)
        return browser

    return sign_in


@pytest.fixture
def without_pauses(monkeypatch):
    monkeypatch.setattr(rehearsals, "Receiver", partial(Receiver, pause_s=0.01))


def address(registration) -> str:
    return reverse("admin:rehearsal", args=[registration.pk])


def start(registration, catalog_key="orders"):
    return rehearsals.start(
        registration=registration, catalog_key=catalog_key, actor=ENGINE, at=clock.now()
    )


def test_an_operator_starts_one_and_reads_what_the_receiver_did_and_should_do(
    sign_in, registration, host, without_pauses
):
    browser = sign_in("operator")
    page = browser.get(f"/admin/deliveries/registration/{registration.pk}/change/")
    assert address(registration) in page.content.decode()

    started = browser.post(address(registration), {"catalog": "orders"}, follow=True)
    assert f"0 of {len(SCENES)} scenes played" in started.content.decode()
    tasks.rehearse(Rehearsal.objects.get().public_id)

    shown = browser.get(address(registration)).content.decode()
    assert f"did what it should in {len(SCENES) - 4} of {len(SCENES)} scenes" in shown
    assert "started by operator-editor (person)" in shown
    assert all(scene.title in shown and scene.should in shown for scene in SCENES)
    assert "Verify the signature and its time before you read the body" in shown
    assert all(b'"test":true' in call.body.replace(b" ", b"") for call in host.received)
    assert not Delivery.objects.exists()


def test_a_second_one_does_not_start_while_one_is_running(sign_in, registration, make_registration):
    browser = sign_in("operator")
    browser.post(address(registration), {"catalog": "orders"})
    other = make_registration()

    again = browser.post(address(registration), {"catalog": "orders"}, follow=True)
    elsewhere = browser.post(address(other), {"catalog": "orders"}, follow=True)

    assert "A rehearsal of this tenant is running" in again.content.decode()
    assert "Start rehearsal" not in again.content.decode()
    assert "A rehearsal of this tenant is running" in elsewhere.content.decode()
    assert Rehearsal.objects.count() == 1


@pytest.mark.parametrize(("group", "role"), [("operator", "viewer"), ("viewer", "editor")])
def test_only_a_person_who_may_act_for_the_tenant_starts_one(sign_in, registration, group, role):
    browser = sign_in(group, role)

    assert "Start rehearsal" not in browser.get(address(registration)).content.decode()
    assert browser.post(address(registration), {"catalog": "orders"}).status_code == 403
    assert not Rehearsal.objects.exists()


def test_another_tenant_sees_and_starts_none(sign_in, registration):
    stranger = Tenant.objects.create(public_id="tnt_stranger", created_at=NOON)
    browser = sign_in("operator", of=stranger)

    assert browser.get(address(registration)).status_code == 404
    assert browser.post(address(registration), {"catalog": "orders"}).status_code == 404
    assert not Rehearsal.objects.exists()


def test_an_unknown_catalog_is_named_and_nothing_starts(sign_in, registration):
    page = sign_in("operator").post(address(registration), {"catalog": "none"}, follow=True)

    assert "none" in page.content.decode()
    assert not Rehearsal.objects.exists()


def test_an_address_that_deliveries_may_not_call_is_not_called(registration, host, settings):
    settings.WEBHOOK_ALLOW_NETWORKS = ()
    settings.WEBHOOK_PORTS = (443, 80, host.port)
    start(registration)

    tasks.rehearse("")

    (report,) = Rehearsal.objects.get().reports
    assert "IMPORT_WEBHOOK_ALLOW_NETWORKS" in report["advice"]
    assert host.received == []


def test_a_receiver_of_a_test_key_is_rehearsed_with_the_catalogs_of_its_tenant(
    tenant, make_registration, make_host
):
    tests = Tenant.objects.create(public_id="tnt_owner.test", test_of=tenant, created_at=NOON)
    host = make_host(answers(401))
    start(make_registration(host.url, tenant=tests))

    tasks.rehearse("")

    assert Rehearsal.objects.get(tenant=tests).reports[0]["did"].startswith("401")
    assert b'"tnt_owner"' in host.received[0].body


def test_the_sweep_finds_one_whose_wake_up_was_lost(registration, monkeypatch):
    woken = []
    monkeypatch.setattr("workflow.tasks.wake", lambda task, public_id: woken.append(public_id))

    rehearsal = start(registration)
    tasks.sweep()

    assert woken == [rehearsal.public_id]


def test_one_that_stops_its_worker_again_and_again_fails(registration):
    rehearsal = start(registration)
    Rehearsal.objects.update(tries=rehearsals.MOST_TRIES)

    tasks.rehearse(rehearsal.public_id)

    rehearsal.refresh_from_db()
    assert (rehearsal.state, rehearsal.problem) == ("failed", rehearsals.STOPPED)
    assert start(registration) is not None


def test_the_next_one_takes_the_place_of_the_last(registration, make_host):
    first = start(registration)
    Rehearsal.objects.update(state="done", due_at=None)

    second = start(registration)

    assert list(Rehearsal.objects.all()) == [second]
    assert first.public_id != second.public_id


def test_what_ended_long_ago_is_deleted_and_that_of_test_keys_sooner(tenant, make_registration):
    tests = Tenant.objects.create(public_id="tnt_owner.test", test_of=tenant, created_at=NOON)
    live = start(make_registration())
    start(make_registration(tenant=tests))
    Rehearsal.objects.update(state="done", due_at=None, started_at=NOON, ended_at=NOON)

    rehearsals.purge(before=NOON, tests_before=NOON + timedelta(days=1))
    assert list(Rehearsal.objects.all()) == [live]

    rehearsals.purge(before=NOON + timedelta(days=1), tests_before=NOON)
    assert not Rehearsal.objects.exists()

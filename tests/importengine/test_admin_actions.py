"""What can be done in the admin, by which user, and with which recorded actor."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client

from common import clock
from common.models import Event, Move
from contracts.models import SigningKey
from deliveries.models import Delivery, Registration
from deliveries.services import register, send_test
from imports.models import ImportRecord
from imports.parts import Failure
from ledger.models import Answer
from licensing.models import License, Membership, PageSession
from links.models import Link
from tests.importengine.admin_rows import add_rows, tenant

pytestmark = pytest.mark.django_db


@pytest.fixture
def ours():
    return tenant("tnt_ours")


@pytest.fixture
def rows(ours):
    return {name: added[0] for name, added in add_rows(ours).items()}


@pytest.fixture
def sign_in(ours):
    """Return a function that signs in a member of a group."""

    def sign_in(group, role="editor") -> Client:
        user = get_user_model().objects.create_user(f"{group}-{role}", is_staff=True)
        user.groups.add(Group.objects.get(name=group))
        Membership.objects.create(user=user, tenant=ours, role=role)
        browser = Client()
        browser.force_login(user)
        return browser

    return sign_in


def act(browser, row, action, **more) -> str:
    """Choose a row of a list, and an action; return the page that follows."""
    address = f"/admin/{row._meta.app_label}/{row._meta.model_name}/"
    sent = {"action": action, "_selected_action": [row.pk], **more}
    return browser.post(address, sent, follow=True).content.decode()


@pytest.fixture
def delivery(ours) -> Delivery:
    registered = register(tenant=ours, url="https://host.example/", at=clock.now()).registration
    sent = send_test(registration=registered, at=clock.now())
    columns = {"state": "rejected", "due_at": None, "settled_at": clock.now()}
    Delivery.objects.filter(pk=sent.pk).update(**columns)
    return sent


def test_a_rejected_delivery_goes_out_again_in_the_name_of_the_operator(sign_in, delivery):
    notice = act(sign_in("operator"), delivery, "redeliver")

    delivery.refresh_from_db()
    assert delivery.state == "pending"
    assert "Queued again: 1 delivery." in notice
    move = Move.objects.get(subject=delivery.public_id, to_state="pending")
    assert (move.actor["kind"], move.actor["label"]) == ("person", "operator-editor")


def test_what_cannot_go_out_again_says_why(sign_in, delivery):
    Delivery.objects.filter(pk=delivery.pk).update(body_name="")

    notice = act(sign_in("operator"), delivery, "redeliver")

    assert f"Not done for {delivery.public_id}: The content of this delivery was deleted." in notice
    assert Delivery.objects.get(pk=delivery.pk).state == "rejected"


def test_reverted_rows_are_sent_again_by_an_action_of_its_own(sign_in, delivery):
    Delivery.objects.filter(pk=delivery.pk).update(is_reverted=True)
    browser = sign_in("operator")

    notice = act(browser, delivery, "redeliver")
    assert (
        f"Not done for {delivery.public_id}: The rows of this delivery were reverted; they"
        in notice
    )
    assert Delivery.objects.get(pk=delivery.pk).state == "rejected"

    notice = act(browser, delivery, "redeliver_reverted")

    assert "Queued again: 1 delivery." in notice
    assert Delivery.objects.get(pk=delivery.pk).state == "pending"


@pytest.mark.parametrize(
    ("group", "model", "action"),
    [
        (group, model, action)
        for group, may in {
            "viewer": (),
            "editor": ("importrecord", "question", "answer", "profile"),
            "publisher": ("importrecord", "question", "answer", "profile"),
            "operator": (
                "importrecord", "license", "pagesession", "link", "registration", "delivery",
                "signingkey",
            ),
        }.items()
        for model, action in {
            "license": "revoke", "pagesession": "end", "link": "revoke",
            "registration": "take_away",
            "delivery": "redeliver", "signingkey": "revoke", "importrecord": "retry",
            "question": "dismiss", "answer": "forget", "profile": "forget",
        }.items()
        if model not in may
    ],
)  # fmt: skip
def test_a_group_does_not_do_what_is_anothers(sign_in, rows, group, model, action):
    before = type(rows[model]).objects.filter(pk=rows[model].pk).values().get()

    act(sign_in(group), rows[model], action, reason="because")

    assert type(rows[model]).objects.filter(pk=rows[model].pk).values().get() == before


def test_the_operator_ends_revokes_and_deletes(sign_in, rows):
    browser = sign_in("operator")

    act(browser, rows["license"], "revoke", reason="leaked")
    act(browser, rows["pagesession"], "end")
    act(browser, rows["link"], "revoke")
    act(browser, rows["registration"], "take_away")
    act(browser, rows["signingkey"], "revoke")

    assert License.objects.get(pk=rows["license"].pk).revoked_reason == "leaked"
    assert PageSession.objects.get().ended_at is not None
    assert Link.objects.get().state == "revoked"
    assert Registration.objects.get().deleted_at is not None
    assert SigningKey.objects.get().revoked_at is not None
    noted = Event.objects.filter(actor_label="operator-editor").values_list("kind", "actor_label")
    assert sorted(noted) == [
        ("license.revoked", "operator-editor"),
        ("link.revoked", "operator-editor"),
        ("session.ended", "operator-editor"),
        ("signing-key.revoked", "operator-editor"),
        ("webhook.deleted", "operator-editor"),
    ]


def test_a_membership_that_only_looks_changes_nothing_whatever_the_group(sign_in, rows):
    notice = act(sign_in("operator", role="viewer"), rows["license"], "revoke", reason="leaked")

    assert "1 license unchanged: your role for this tenant is read-only." in notice
    assert License.objects.get().revoked_at is None


def test_rows_of_another_tenant_cannot_be_chosen(sign_in, ours):
    other = add_rows(tenant("tnt_theirs"))["license"][0]

    act(sign_in("operator"), other, "revoke", reason="mischief")

    assert License.objects.get().revoked_at is None


def test_an_editor_forgets_an_answer_and_tries_an_import_again(sign_in, rows):
    browser = sign_in("editor")
    problem = {"code": "x", "detail": "y"}
    failed = {"state": "failed", "failure": Failure(problem, "reading")}
    ImportRecord.objects.update(**failed)

    act(browser, rows["answer"], "forget")
    act(browser, rows["importrecord"], "retry")

    assert not Answer.objects.exists()
    record = ImportRecord.objects.get()
    assert record.state == "reading"
    move = Move.objects.get(subject=record.public_id, to_state="reading")
    assert move.actor["label"] == "editor-editor"


def test_an_import_that_did_not_fail_says_so(sign_in, rows):
    notice = act(sign_in("editor"), rows["importrecord"], "retry")

    assert "only a failed one can be retried" in notice


def test_a_publisher_is_offered_what_their_tenants_published_and_signs_it(sign_in, ours, rows):
    other = add_rows(tenant("tnt_theirs"))["issuedcontract"][0].catalog_version
    browser = sign_in("publisher")

    page = browser.get("/admin/contracts/issuedcontract/add/")
    refused = browser.post("/admin/contracts/issuedcontract/add/", {"catalog_version": other.pk})

    assert page.status_code == 200
    assert rows["issuedcontract"].catalog_version.catalog.key in page.content.decode()
    assert other.catalog.key not in page.content.decode()
    assert "Select a valid choice" in refused.content.decode()


def test_the_operator_names_a_tenant_and_gives_no_memberships(sign_in, ours):
    address = f"/admin/licensing/tenant/{ours.pk}/change/"
    rows = {"memberships-TOTAL_FORMS": "1", "memberships-INITIAL_FORMS": "0"}
    given = {"memberships-0-user": get_user_model().objects.create_user("new").pk}

    answer = sign_in("operator").post(
        address, {"label": "Ours", **rows, **given, "memberships-0-role": "editor"}
    )

    assert answer.status_code == 302
    ours.refresh_from_db()
    assert ours.label == "Ours"
    assert not Membership.objects.filter(user__username="new").exists()

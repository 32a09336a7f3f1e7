"""A catalog may ask for a second person: more rows than that wait until another one approves."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from rest_framework.test import APIClient

from agents.sessions import of_process
from agents.tools.changesets import execute_import, revert_changeset
from catalogs import services as catalogs
from changesets.models import Changeset
from common import clock
from common.actors import ENGINE
from common.errors import Conflict
from common.models import Event
from deliveries.models import Delivery
from licensing import services as licensing
from licensing.models import Membership, Tenant
from tests.imports.conftest import carry_on

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
APPLY = {"applyMode": "browser", "invalidRows": "exclude"}
RIGHTS = ["release", "revert", "undoOthers"]
NEEDED = (403, "second_person_needed")
OF_AGENTS = {"plan": "enterprise", "entitlements": ("agentAccess",)}


@pytest.fixture
def owner() -> Tenant:
    return Tenant.objects.create(public_id="tnt_owner", created_at=clock.now())


@pytest.fixture
def published(owner):
    """Return a function that publishes a catalog with a rule about second persons."""

    def publish(rule, tenant=owner):
        document = {"key": "t", "entries": [{"id": "order", "fields": [{"key": "no"}]}]}
        if rule is not None:
            document["secondPerson"] = rule
        text = json.dumps(document).encode()
        return catalogs.publish_document(
            tenant=tenant, key="t", text=text, at=clock.now(), actor=ENGINE
        )

    return publish


@pytest.fixture
def server(owner, mint_key, client_of):
    return client_of(mint_key(**OF_AGENTS))


@pytest.fixture
def other_server(owner, mint_key, client_of):
    return client_of(mint_key())


@pytest.fixture
def page(server, client_of):
    """Return a function that opens a page of one scope, for a person or for an unnamed one."""

    def page(person="", **wanted):
        named = {"actor": {"id": person, "label": person.title()}} if person else {}
        body = {"scope": "s", "catalogKey": "t", "rights": RIGHTS, "applyMode": "browser"}
        opened = server.post(f"{V1}/sessions", {**body, **named, **wanted}, format="json")
        assert opened.status_code == 201, opened.content
        return client_of(opened.json()["token"])

    return page


@pytest.fixture
def account(owner, django_user_model):
    """Return a function that signs a member of the tenant in."""
    from django.contrib.auth.models import Permission

    def account(name):
        user = django_user_model.objects.create_user(name, password="x", is_staff=True)
        user.user_permissions.set(Permission.objects.all())
        Membership.objects.create(user=user, tenant=owner, role="editor")
        browser = APIClient(headers={"X-Import-Tenant": owner.public_id})
        browser.force_login(user)
        return browser

    return account


def bring(by, rows=3, **members):
    """Bring rows to review; returns the address of the import."""
    body = {"rows": [{"no": str(n)} for n in range(rows)], "catalogKey": "t", **members}
    made = by.post(f"{V1}/imports", body, format="json")
    assert made.status_code == 202, made.content
    address = f"{V1}/imports/{made.json()['recordId']}"
    carry_on(by, made.json()["recordId"])
    settled = by.put(f"{address}/mapping", {"mapping": {"no": "order.no"}}, format="json")
    assert settled.status_code == 202, settled.content
    assert carry_on(by, made.json()["recordId"])["state"] == "review"
    return address


def apply(by, address, **wishes):
    """Apply an import and run it; returns its state and the address of its changeset."""
    answer = by.post(f"{address}/apply", {**APPLY, **wishes}, format="json")
    assert answer.status_code == 202, answer.content
    record = carry_on(by, address.rpartition("/")[2])
    return record["state"], f"{V1}/changesets/{record['changesetId']}"


def outcome(answer):
    return answer.status_code, answer.json().get("code", "")


@pytest.mark.parametrize(
    ("rule", "state"),
    [
        (None, "applied"),
        ({"above": 3}, "applied"),
        ({"above": 2}, "staged"),
        ({"above": 2, "on": ["apply"]}, "staged"),
        ({"above": 0, "on": ["revert"]}, "applied"),
    ],
)
def test_more_rows_than_one_person_may_apply_wait(published, server, rule, state):
    published(rule)

    assert apply(server, bring(server, rows=3))[0] == state
    assert not Delivery.objects.exists()


def test_a_person_who_prepared_it_cannot_approve_it_and_another_one_can(published, server, page):
    published({"above": 2})
    ada, bob = page("ada"), page("bob")
    state, changeset = apply(ada, bring(ada))

    assert state == "staged"
    shown = ada.get(changeset).json()
    assert (shown["awaits"], shown["mayApprove"]) == ("secondPerson", False)
    assert [person["label"] for person in shown["preparedBy"]] == ["Ada"]
    assert outcome(ada.post(f"{changeset}/apply")) == NEEDED
    assert outcome(page("ada").post(f"{changeset}/apply")) == NEEDED  # another session of hers

    assert bob.get(changeset).json()["mayApprove"]
    assert bob.post(f"{changeset}/apply").status_code == 202
    shown = bob.get(changeset).json()
    record = carry_on(bob, shown["recordId"])
    shown = bob.get(changeset).json()
    assert (record["state"], shown["awaits"], shown["mayApprove"]) == ("applied", None, False)
    assert shown["appliedBy"]["id"] == "bob"
    assert [person["id"] for person in shown["preparedBy"]] == ["ada"]


def test_a_person_who_edited_or_answered_prepared_it_too(published, server, page):
    published({"above": 2})
    ada, bob, cy = page("ada"), page("bob"), page("cy")
    address = bring(ada)
    edit = {"revision": 1, "edits": [{"row": 0, "field": "order.no", "text": "9"}]}
    assert bob.patch(f"{address}/rows", edit, format="json").status_code == 200

    _, changeset = apply(ada, address)

    assert {person["id"] for person in ada.get(changeset).json()["preparedBy"]} == {"ada", "bob"}
    assert outcome(bob.post(f"{changeset}/apply")) == NEEDED
    assert cy.post(f"{changeset}/apply").status_code == 202


def test_a_person_who_refused_an_apply_may_approve_the_next(published, page):
    published({"above": 2})
    ada, bob = page("ada"), page("bob")
    address = bring(ada)
    _, first = apply(ada, address)
    assert bob.post(f"{first}/discard").status_code == 200

    state, second = apply(ada, address)

    assert state == "staged"
    assert bob.post(f"{second}/apply").status_code == 202


def test_a_person_who_prepared_it_may_withdraw_it(published, page):
    published({"above": 2})
    ada = page("ada")
    address = bring(ada)
    _, changeset = apply(ada, address)

    assert ada.post(f"{changeset}/discard").status_code == 200
    assert ada.get(address).json()["state"] == "review"


def test_pages_that_name_no_person_are_not_two_persons(published, page, server, account):
    published({"above": 2})
    somebody = page()
    _, changeset = apply(somebody, bring(somebody))

    assert outcome(somebody.post(f"{changeset}/apply")) == NEEDED
    assert outcome(page().post(f"{changeset}/apply")) == NEEDED  # it may be the same person
    assert outcome(page("bob").post(f"{changeset}/apply")) == NEEDED  # so may bob
    assert account("carol").post(f"{changeset}/apply").status_code == 202


def test_an_unnamed_page_cannot_approve_what_a_named_one_prepared(published, page):
    published({"above": 2})
    ada = page("ada")
    _, changeset = apply(ada, bring(ada))

    answer = page().post(f"{changeset}/apply")

    assert outcome(answer) == NEEDED
    assert "names no person" in answer.json()["detail"]


def test_a_label_makes_no_second_person_of_one_key(published, server, other_server):
    published({"above": 2})
    _, changeset = apply(server, bring(server))

    renamed = server.post(f"{changeset}/apply", headers={"X-Import-Actor": "Somebody else"})
    assert outcome(renamed) == NEEDED
    assert other_server.post(f"{changeset}/apply").status_code == 202


def test_accounts_are_persons(published, account, server):
    published({"above": 2})
    ada, bob = account("ada"), account("bob")
    _, changeset = apply(ada, bring(ada))

    assert outcome(ada.post(f"{changeset}/apply")) == NEEDED
    assert bob.post(f"{changeset}/apply").status_code == 202


def test_a_page_without_the_right_to_release_is_not_offered_the_approval(published, page):
    published({"above": 2})
    ada, bob = page("ada"), page("bob", rights=["revert"])
    _, changeset = apply(ada, bring(ada))

    assert not bob.get(changeset).json()["mayApprove"]
    assert outcome(bob.post(f"{changeset}/apply")) == (403, "right_required")


def test_an_agent_and_its_person_are_one_person(published, owner, mint_key, client_of, account):
    published({"above": 2})
    key = mint_key(**OF_AGENTS)
    person = client_of(key)
    agent = of_process(licensing.accept_key(key=key, at=clock.now())[0], files=None)
    other = licensing.accept_key(key=mint_key(**OF_AGENTS), at=clock.now())[0]
    params = {
        "recordId": bring(person).rpartition("/")[2], "fields": {}, "allowMissing": False, **APPLY,
    }  # fmt: skip

    done = execute_import(agent, params)

    assert (done["import"]["state"], done["changeset"]["awaits"]) == ("staged", "secondPerson")
    assert "waits for approval" in done["nextStep"]
    changeset = f"{V1}/changesets/{done['changeset']['id']}"
    assert outcome(person.post(f"{changeset}/apply")) == NEEDED
    assert account("bob").post(f"{changeset}/apply").status_code == 202
    carry_on(person, params["recordId"])

    taken = {"changesetId": done["changeset"]["id"], "force": False}
    waiting = revert_changeset(agent, taken)
    assert (waiting["import"]["state"], waiting["changeset"]["awaits"]) == ("applied", "revert")
    with pytest.raises(Exception, match="agent cannot approve"):
        revert_changeset(of_process(other, files=None), taken)


def test_two_approvals_at_once_deliver_once(published, page):
    from changesets import staged
    from common.actors import Actor

    published({"above": 2})
    ada = page("ada")
    apply(ada, bring(ada))
    first, second = Changeset.objects.get(), Changeset.objects.get()

    staged.apply_staged(changeset=first, actor=Actor("person", "bob"), is_page=True, at=clock.now())
    with pytest.raises(Conflict):
        staged.apply_staged(
            changeset=second, actor=Actor("person", "cy"), is_page=True, at=clock.now()
        )


def test_an_approval_that_meets_other_rows_waits_for_a_second_person_again(published, page):
    """The approver of the first comparison prepared nothing, and may approve again."""
    from changesets import transitions

    published({"above": 2})
    ada, bob = page("ada"), page("bob")
    _, address = apply(ada, bring(ada))
    bob.post(f"{address}/apply")
    transitions.hold(Changeset.objects.get(), reason=transitions.CHANGED, at=clock.now())

    assert outcome(ada.post(f"{address}/apply")) == NEEDED
    assert bob.post(f"{address}/apply").status_code == 202


def test_a_session_lowers_the_limit_and_never_raises_it(published, server, page):
    published({"above": 2, "on": ["apply"]})
    lower = page("ada", secondPerson={"above": 1})
    wider = {"scope": "s", "catalogKey": "t", "secondPerson": {"above": 3}}

    assert apply(lower, bring(lower, rows=2))[0] == "staged"
    assert apply(page("ada"), bring(page("ada"), rows=2))[0] == "applied"
    answer = server.post(f"{V1}/sessions", wider, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "/secondPerson/above"


def test_a_session_asks_for_a_second_person_where_the_catalog_does_not(published, page):
    published(None)
    ada = page("ada", secondPerson={"above": 0, "on": ["revert"]})
    state, changeset = apply(ada, bring(ada))

    assert state == "applied"
    assert ada.post(f"{changeset}/revert", {}, format="json").json()["awaits"] == "revert"


def test_a_page_cannot_send_a_limit_with_an_import(published, page):
    published({"above": 2})
    body = {"rows": [{"no": "1"}], "secondPerson": {"above": 0}}

    answer = page("ada").post(f"{V1}/imports", body, format="json")

    assert answer.status_code == 403


def test_an_import_of_an_older_version_waits_as_the_published_one_says(published, page):
    published(None)
    ada = page("ada")
    address = bring(ada)
    published({"above": 2})

    assert apply(ada, address)[0] == "staged"


def test_a_revert_waits_until_another_person_reverts_too(published, page):
    published({"above": 2, "on": ["revert"]})
    ada, bob = page("ada"), page("bob")
    address = bring(ada)
    _, changeset = apply(ada, address)

    requested = ada.post(f"{changeset}/revert", {}, format="json")

    assert (requested.status_code, requested.json()["state"]) == (202, "applied")
    assert (requested.json()["awaits"], requested.json()["mayApprove"]) == ("revert", False)
    assert ada.get(address).json()["state"] == "applied"
    assert outcome(ada.post(f"{changeset}/revert", {}, format="json")) == NEEDED
    assert bob.get(changeset).json()["mayApprove"]
    assert bob.post(f"{changeset}/revert", {}, format="json").status_code == 202
    assert carry_on(bob, address.rpartition("/")[2])["state"] == "reverted"
    assert bob.get(changeset).json()["revertedBy"]["id"] == "bob"


def test_a_revert_that_waits_is_refused_and_asked_for_again(published, page):
    published({"above": 2, "on": ["revert"]})
    ada, bob = page("ada"), page("bob")
    _, changeset = apply(ada, bring(ada))
    ada.post(f"{changeset}/revert", {}, format="json")

    refused = bob.post(f"{changeset}/discard")

    assert (refused.status_code, refused.json()["awaits"]) == (200, None)
    assert outcome(bob.post(f"{changeset}/discard")) == (409, "not_staged")
    again = bob.post(f"{changeset}/revert", {}, format="json").json()
    assert [person["id"] for person in again["preparedBy"]] == ["bob"]


def test_two_who_ask_for_a_revert_at_once_are_the_two_persons(published, page):
    from changesets import reversal
    from common.actors import Actor

    published({"above": 2, "on": ["revert"]})
    ada = page("ada")
    apply(ada, bring(ada))
    first, second = Changeset.objects.get(), Changeset.objects.get()

    for changeset, name in ((first, "ada"), (second, "bob")):
        reversal.revert(
            changeset=changeset,
            force=False,
            actor=Actor("person", name),
            is_page=True,
            at=clock.now(),
        )

    assert Changeset.objects.get().state == "reverting"


def test_the_admin_shows_what_waits_and_who_prepared_it(published, page, admin_client):
    published({"above": 2})
    ada = page("ada")
    apply(ada, bring(ada))
    changeset = Changeset.objects.get()

    pages = "/admin/changesets/changeset/"
    listed = admin_client.get(pages).content.decode()
    shown = admin_client.get(f"{pages}{changeset.pk}/change/").content.decode()

    assert "Approval by a second person" in listed
    assert "Approval by a second person" in shown
    assert "Ada (person)" in shown


def test_another_tenant_neither_sees_nor_approves_it(published, page, mint_key, client_of):
    published({"above": 2})
    ada = page("ada")
    _, changeset = apply(ada, bring(ada))
    Tenant.objects.create(public_id="tnt_other", created_at=clock.now())
    stranger = client_of(mint_key("tnt_other"))

    for answer in (stranger.get(changeset), stranger.post(f"{changeset}/apply")):
        assert outcome(answer) == (404, "unknown_changeset")


def test_a_host_hears_why_an_import_waits(owner, published, page, settings):
    from ipaddress import ip_network

    from deliveries import bodies
    from deliveries.services import register

    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    register(
        tenant=owner, url="http://127.0.0.1:9/", at=clock.now(), actions=[],
        events_wanted=["import.waiting"],
    )  # fmt: skip
    published({"above": 2})
    ada, bob = page("ada"), page("bob")
    address = bring(ada)
    _, changeset = apply(ada, address)
    bob.post(f"{changeset}/apply")
    carry_on(bob, address.rpartition("/")[2])
    bob.post(f"{changeset}/revert", {}, format="json")

    notices = Delivery.objects.filter(action="notify").order_by("pk")
    sent = [json.loads(bodies.content(notice)) for notice in notices]
    assert [(notice["state"], notice.get("why")) for notice in sent][-2:] == [
        ("staged", ["second_person"]), ("applied", ["revert"]),
    ]  # fmt: skip


def test_who_prepared_the_import_that_is_taken_again_prepared_this_one(published, page):
    published({"above": 2})
    ada, bob, cy = page("ada"), page("bob"), page("cy")
    first = bring(ada)
    for _ in range(2):  # also over several steps
        made = bob.post(f"{V1}/imports", {"from": first.rpartition("/")[2]}, format="json")
        assert made.status_code == 202, made.content
        record = carry_on(bob, made.json()["recordId"])
        first = f"{V1}/imports/{record['recordId']}"
    assert record["state"] == "review"

    _, changeset = apply(bob, first)

    assert {person["id"] for person in bob.get(changeset).json()["preparedBy"]} == {"ada", "bob"}
    assert outcome(ada.post(f"{changeset}/apply")) == NEEDED
    assert cy.post(f"{changeset}/apply").status_code == 202


def test_an_import_taken_again_does_not_hide_a_page_that_named_no_person(published, page, account):
    published({"above": 2})
    first = bring(page())
    carol = account("carol")
    made = carol.post(f"{V1}/imports", {"from": first.rpartition("/")[2]}, format="json")
    record = carry_on(carol, made.json()["recordId"])
    _, changeset = apply(carol, f"{V1}/imports/{record['recordId']}")

    assert outcome(page("bob").post(f"{changeset}/apply")) == NEEDED
    assert account("dora").post(f"{changeset}/apply").status_code == 202


def test_who_sent_a_corrected_file_prepared_it(published, page):
    published({"above": 2})
    ada, bob, cy = page("ada"), page("bob"), page("cy")
    address = bring(ada)
    sent = {"file": SimpleUploadedFile("mine.csv", b"No\n1\n")}
    assert bob.post(f"{address}/corrections", sent, format="multipart").status_code == 202

    _, changeset = apply(ada, address)

    assert outcome(bob.post(f"{changeset}/apply")) == NEEDED
    assert cy.post(f"{changeset}/apply").status_code == 202


@pytest.mark.parametrize("name", ["engine", "lic_x", "operator-7", "user:42"])
def test_the_text_of_an_id_of_a_host_makes_no_other_kind_of_caller(published, page, name):
    published({"above": 2})
    somebody, named = page(), page(name)
    _, first = apply(somebody, bring(somebody))
    _, second = apply(named, bring(named))

    assert outcome(named.post(f"{first}/apply")) == NEEDED
    assert outcome(named.post(f"{second}/apply")) == NEEDED
    assert [person["id"] for person in named.get(second).json()["preparedBy"]] == [name]


def test_a_rule_that_is_published_while_an_apply_waits_counts(published, page):
    published(None)
    ada, bob = page("ada"), page("bob")
    _, changeset = apply(ada, bring(ada), staged=True)
    assert ada.get(changeset).json()["mayApprove"]
    published({"above": 2})

    shown = ada.get(changeset).json()

    assert (shown["awaits"], shown["mayApprove"]) == ("secondPerson", False)
    assert [person["id"] for person in shown["preparedBy"]] == ["ada"]
    assert outcome(ada.post(f"{changeset}/apply")) == NEEDED
    assert bob.post(f"{changeset}/apply").status_code == 202


def test_a_rule_that_is_dropped_while_an_apply_waits_counts_for_it(published, page):
    published({"above": 2})
    ada = page("ada")
    _, changeset = apply(ada, bring(ada))
    published(None)

    assert outcome(ada.post(f"{changeset}/apply")) == NEEDED


def test_a_retired_catalog_keeps_its_rule(owner, published, page):
    published(None)
    ada = page("ada")
    address = bring(ada)
    published({"above": 2})
    catalogs.retire(tenant=owner, key="t", at=clock.now(), actor=ENGINE)

    assert apply(ada, address)[0] == "staged"


def test_the_session_that_applies_or_reverts_lowers_the_limit_too(published, page):
    published(None)
    ada, strict = page("ada"), page("ada", secondPerson={"above": 1})
    assert apply(strict, bring(ada))[0] == "staged"

    state, changeset = apply(ada, bring(ada))
    assert state == "applied"
    assert strict.post(f"{changeset}/revert", {}, format="json").json()["awaits"] == "revert"
    assert outcome(ada.post(f"{changeset}/revert", {}, format="json")) == NEEDED
    assert page("bob").post(f"{changeset}/revert", {}, format="json").status_code == 202


def test_a_session_may_ask_for_more_where_the_catalog_asks_for_nothing(published, page, server):
    published({"above": 2, "on": ["apply"]})
    page("ada", secondPerson={"above": 10, "on": ["revert"]})

    both = {"scope": "s", "catalogKey": "t", "secondPerson": {"above": 10}}
    assert server.post(f"{V1}/sessions", both, format="json").status_code == 400


def test_a_request_to_revert_is_withdrawn_with_the_right_to_revert(published, page):
    published({"above": 2, "on": ["revert"]})
    ada, bob, cy = page("ada"), page("bob", rights=["revert"]), page("cy", rights=["release"])
    _, changeset = apply(ada, bring(ada))
    bob.post(f"{changeset}/revert", {}, format="json")

    assert outcome(cy.post(f"{changeset}/discard")) == (403, "right_required")
    assert bob.post(f"{changeset}/discard").json()["awaits"] is None

    _, waiting = apply(ada, bring(ada), staged=True)
    assert outcome(bob.post(f"{waiting}/discard")) == (403, "right_required")
    assert cy.post(f"{waiting}/discard").status_code == 200


def test_a_purge_forgets_a_request_to_revert(published, page, server):
    published({"above": 2, "on": ["revert"]})
    ada = page("ada")
    address = bring(ada)
    _, changeset = apply(ada, address)
    ada.post(f"{changeset}/revert", {}, format="json")

    assert server.delete(address).status_code == 204

    assert server.get(changeset).json()["awaits"] is None


def test_the_audit_log_says_what_waits(published, page):
    published({"above": 2})
    ada, bob = page("ada"), page("bob")
    _, changeset = apply(ada, bring(ada))
    bob.post(f"{changeset}/apply")
    carry_on(bob, bob.get(changeset).json()["recordId"])
    bob.post(f"{changeset}/revert", {}, format="json")
    bob.post(f"{changeset}/discard")

    lines = Event.objects.filter(subject=changeset.rpartition("/")[2]).order_by("pk")
    results = [(line.kind, line.about.get("staged"), line.about.get("awaits")) for line in lines]
    assert results == [
        ("import.applied", True, None),
        ("import.applied", None, None),
        ("import.reverted", True, "revert"),
        ("import.discarded", True, "revert"),
    ]


def test_who_prepared_it_is_not_named_below_the_limit(published, page):
    published({"above": 3})
    ada = page("ada")
    _, changeset = apply(ada, bring(ada), staged=True)

    shown = ada.get(changeset).json()

    assert (shown["awaits"], shown["preparedBy"], shown["mayApprove"]) == ("approval", [], True)


def test_a_wait_for_other_rows_says_that_it_needs_a_second_person(published, page, monkeypatch):
    from changesets import transitions

    published({"above": 2})
    ada, bob = page("ada"), page("bob")
    _, address = apply(ada, bring(ada))
    bob.post(f"{address}/apply")
    waits = []
    monkeypatch.setattr(
        transitions.imports, "wait_for_approval", lambda record, **about: waits.append(about["why"])
    )

    transitions.hold(Changeset.objects.get(), reason=transitions.CHANGED, at=clock.now())

    assert [list(why) for why in waits] == [["changed_since_approval", "second_person"]]


def decided_in_admin(browser, action) -> str:
    sent = {"action": action, "_selected_action": [Changeset.objects.latest("pk").pk]}
    return browser.post("/admin/changesets/changeset/", sent, follow=True).content.decode()


def in_admin(django_user_model, owner, name, role="editor", *, may=True) -> Client:
    from django.contrib.auth.models import Permission

    user = django_user_model.objects.create_user(name, is_staff=True)
    wanted = ["view_changeset", *(["change_changeset"] if may else [])]
    user.user_permissions.set(Permission.objects.filter(codename__in=wanted))
    Membership.objects.create(user=user, tenant=owner, role=role)
    browser = Client()
    browser.force_login(user)
    return browser


def test_an_account_approves_in_the_admin_what_it_did_not_prepare(
    published, page, account, owner, django_user_model
):
    published({"above": 2})
    carol, bob = account("carol"), in_admin(django_user_model, owner, "bob")
    _, address = apply(carol, bring(carol))
    admin = Client()
    admin.force_login(django_user_model.objects.get(username="carol"))

    assert "You prepared this" in decided_in_admin(admin, "approve")
    assert Changeset.objects.get().state == "staged"
    assert "Approved 1 changeset." in decided_in_admin(bob, "approve")

    record = carry_on(carol, carol.get(address).json()["recordId"])
    assert record["state"] == "applied"
    assert Changeset.objects.get().applied_by["label"] == "bob"
    carol.post(f"{address}/revert", {}, format="json")
    assert "You prepared this" in decided_in_admin(admin, "approve")
    assert "Rejected 1 changeset." in decided_in_admin(admin, "reject")
    carol.post(f"{address}/revert", {}, format="json")
    assert "Approved 1 changeset." in decided_in_admin(bob, "approve")
    assert Changeset.objects.get().state == "reverting"


def test_what_waits_is_rejected_in_the_admin_once(published, page, owner, django_user_model):
    published({"above": 2})
    ada, bob = page("ada"), in_admin(django_user_model, owner, "bob")
    address = bring(ada)
    apply(ada, address)

    assert "Rejected 1 changeset." in decided_in_admin(bob, "reject")
    assert ada.get(address).json()["state"] == "review"
    for action in ("approve", "reject"):
        assert "Not done for" in decided_in_admin(bob, action)


@pytest.mark.parametrize(("role", "may"), [("editor", False), ("viewer", True)])
def test_an_account_without_the_right_decides_nothing_in_the_admin(
    published, page, owner, django_user_model, role, may
):
    published({"above": 2})
    ada, bob = page("ada"), in_admin(django_user_model, owner, "bob", role, may=may)
    apply(ada, bring(ada))

    for action in ("approve", "reject"):
        decided_in_admin(bob, action)

    assert Changeset.objects.get().state == "staged"


def test_an_account_of_another_tenant_decides_nothing_in_the_admin(
    published, page, django_user_model
):
    published({"above": 2})
    other = Tenant.objects.create(public_id="tnt_other", created_at=clock.now())
    ada, bob = page("ada"), in_admin(django_user_model, other, "bob")
    apply(ada, bring(ada))

    for action in ("approve", "reject"):
        decided_in_admin(bob, action)

    assert Changeset.objects.get().state == "staged"

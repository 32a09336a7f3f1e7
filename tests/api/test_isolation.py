"""What belongs to one tenant is not there for another, on every path of the OpenAPI document."""

from datetime import timedelta

import pytest

from catalogs.models import RegressionFile
from changesets.models import Changeset
from common import clock
from common.actors import ENGINE
from common.ids import new_id
from contracts import services as contracts
from contracts.selectors import opened
from deliveries import services as deliveries
from deliveries.models import Registration
from feeds import services as feeds
from imports import services
from imports.models import BulkChange, Profile
from imports.selectors import imports_of
from ledger.models import Answer, Question
from licensing import sessions
from licensing.caller import Caller
from licensing.models import License, Tenant
from links import services as links
from previews.outcomes import of_problem
from tests.api.documented import openapi_document
from tests.imports.conftest import client, owner, publish, upload

__all__ = ["client", "owner", "publish", "upload"]  # fixtures

pytestmark = pytest.mark.django_db
OWN_NAMES = {  # the tenant chooses the names; PUT creates them
    "/api/import/v1/catalogs/{key}/draft",
    "/api/import/v1/catalogs/{key}/draft/contract",
    "/api/import/v1/references/{entity}",
    "/api/import/v1/value-lists/{key}",
}


def operations() -> list[tuple[str, str, bool]]:
    """Return every operation on an object of a tenant, and whether it takes a body."""
    paths = openapi_document()["paths"]
    return [
        (method, path, "requestBody" in operation)
        for path, methods in paths.items()
        if "{" in path and path not in OWN_NAMES
        for method, operation in methods.items()
    ]


@pytest.fixture
def owned(publish, upload, owner, settings) -> dict[str, str]:
    """Create one of each object for the owner; return the value of each name in a path."""
    from ipaddress import ip_network

    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    publish("orders")
    made = deliveries.register(tenant=owner, url="http://127.0.0.1:9/", at=clock.now())
    delivery = deliveries.send_test(registration=made.registration, at=clock.now(), size=0)
    uploaded = upload("orders-cp1252.csv", autoMap="true")
    record = imports_of(owner).get(public_id=uploaded["recordId"])
    correction = services.create_correction(
        record=record,
        filename="c.csv",
        stored=services.receive_file([b"a"]),
        actor=ENGINE,
        at=clock.now(),
        license_id="",
    )
    issued = contracts.export(
        tenant=owner,
        version=record.catalog_version,
        profile=None,
        options=contracts.ExportOptions(),
        actor=ENGINE,
        at=clock.now(),
    )
    check = contracts.create_check(
        tenant=owner,
        opened=opened(issued),
        filename="c.csv",
        stored=services.receive_file([b"a"]),
        actor=ENGINE,
        at=clock.now(),
    )
    return {
        "{key}": "orders",
        "{number}": "1",
        "{record_id}": record.public_id,
        "{correction_id}": correction.public_id,
        "{row}": "0",
        "{table}": "0",
        "{page}": "1",
        "{webhook_id}": made.registration.public_id,
        "{delivery_id}": delivery.public_id,
        "{field}": "orders.status",
        "{changeset_id}": changeset_of(record),
        "{contract_id}": issued.contract_id,
        "{other_id}": issued.contract_id,
        "{key_id}": issued.key.kid,
        "{check_id}": check.public_id,
        "{session_id}": session_of(owner),
        "{test_id}": kept_test_of(record),
        "{change_id}": change_of(record),
        "{link_id}": link_of(owner),
        "{feed_id}": feed_of(owner),
        **remembered(owner),
    }


def change_of(record) -> str:
    change = BulkChange.objects.create(
        public_id=new_id("blk_"),
        state=BulkChange.State.DONE,
        record=record,
        kind="replace",
        actor=ENGINE.as_dict(),
        created_at=clock.now(),
    )
    return change.public_id


def kept_test_of(record) -> str:
    made = RegressionFile.objects.create(
        public_id=new_id("tst_"), catalog=record.catalog_version.catalog, name="orders.csv",
        filename="orders.csv", file=record.file, size=1, sha256="", created_at=clock.now(),
        created_by=ENGINE.as_dict(), expected=of_problem("malformed"),
    )  # fmt: skip
    return made.public_id


def session_of(owner) -> str:
    """Open a page session; return its id."""
    at = clock.now()
    license = License.objects.create(
        public_id=new_id("lic_"), tenant=owner, issued_at=at, expires_at=at + timedelta(hours=1)
    )
    caller = Caller(tenant=owner, license_id=license.public_id, actor=ENGINE)
    opened = sessions.open_session(caller=caller, wanted=sessions.Wanted(), at=at)
    return opened.session.public_id


def link_of(owner) -> str:
    """Create a link; return its id."""
    at = clock.now()
    license = License.objects.create(
        public_id=new_id("lic_"), tenant=owner, issued_at=at, expires_at=at + timedelta(hours=1)
    )
    caller = Caller(tenant=owner, license_id=license.public_id, actor=ENGINE)
    wanted = links.NewLink(sessions.Wanted(), {"name": "Northwind"})
    return links.create_link(caller=caller, wanted=wanted, at=at).link.public_id


def feed_of(owner) -> str:
    """Create a feed; return its id."""
    wanted = feeds.NewFeed(
        name="Weekly",
        kind="https",
        catalog_key="orders",
        settings={"url": "https://files.example/orders.csv"},
        schedule="0 6 * * 1",
    )
    caller = Caller(tenant=owner, license_id="lic_feeds", actor=ENGINE)
    return feeds.create_feed(caller=caller, wanted=wanted, at=clock.now()).public_id


def changeset_of(record) -> str:
    made = Changeset.objects.create(
        public_id=new_id("chg_"), state="discarded", tenant=record.tenant, record=record,
        revision=1, counts={}, occurred_at=clock.now(),
    )  # fmt: skip
    return made.public_id


def remembered(owner) -> dict[str, str]:
    about = {"tenant": owner, "kind": "option", "fingerprint": "f"}
    by = {"answered_by": ENGINE.as_dict(), "answered_at": clock.now()}
    question = Question.objects.create(
        public_id=new_id("qst_"), subject="rec_x", state="open", asked_at=clock.now(), **about
    )
    answer = Answer.objects.create(public_id=new_id("ans_"), **about, **by)
    profile = Profile.objects.create(
        public_id=new_id("prf_"),
        tenant=owner,
        catalog_key="orders",
        fingerprint="f",
        columns=[],
        mapping={},
        saved_at=clock.now(),
        saved_by=ENGINE.as_dict(),
    )
    return {
        "{question_id}": question.public_id,
        "{answer_id}": answer.public_id,
        "{profile_id}": profile.public_id,
    }


def test_every_path_with_anothers_ids_answers_404(owned, client_of, mint_key):
    entitlements = ("agentAccess", "catalogEditor", "feeds")
    stranger = client_of(mint_key("tnt_stranger", plan="enterprise", entitlements=entitlements))
    answers = {}
    for method, path, has_body in operations():
        address = path
        for name, value in owned.items():
            address = address.replace(name, value)
        assert "{" not in address, f"{path}: say in this test what stands for its names"
        body = {"format": "json", "data": {}} if has_body else {}
        answers[method, path] = getattr(stranger, method)(address, **body).status_code

    assert {call: status for call, status in answers.items() if status != 404} == {}
    assert len(answers) > 20


def test_a_test_key_reaches_nothing_of_its_tenant_but_the_catalogs(owned, client_of, mint_key):
    test = client_of(mint_key("tnt_owner", is_test=True, plan="enterprise",
                              entitlements=("agentAccess", "feeds")))  # fmt: skip
    answers = {}
    for method, path, has_body in operations():
        address = path
        for name, value in owned.items():
            address = address.replace(name, value)
        body = {"format": "json", "data": {}} if has_body else {}
        answers[method, path] = getattr(test, method)(address, **body).status_code

    reached = {call for call, status in answers.items() if status != 404}
    assert {path for _, path in reached if "{key}" not in path} == set()
    assert {method for method, path in reached if answers[method, path] < 400} == {"get"}


def test_every_list_of_another_tenant_is_empty(owned, client_of, mint_key):
    stranger = client_of(mint_key("tnt_stranger"))
    paths = openapi_document()["paths"]
    lists = [path for path, methods in paths.items() if "{" not in path and "get" in methods]
    bodies = {path: stranger.get(path).json() for path in lists}

    assert [path for path, body in bodies.items() if body.get("items")] == []
    assert sum("items" in body for body in bodies.values()) >= 4
    assert Registration.objects.exists()
    assert Tenant.objects.count() == 2

"""Rows of every kind that the admin lists, with cells and secrets wherever possible."""

from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model

from catalogs.models import Catalog, CatalogVersion
from changesets.models import Changeset
from common import clock, events
from common.actors import Actor
from common.ids import new_id
from common.models import Move
from contracts.models import IssuedContract, SigningKey
from deliveries.models import Delivery, Registration
from feeds.models import Feed
from imports.models import ImportRecord, Profile
from imports.parts import Decided, Parsed
from ledger.models import Answer, Question
from licensing.models import License, Membership, PageSession, Tenant
from links.models import Link
from references.models import KnownEntity, KnownSet
from references.value_lists import services as value_lists
from tabular.protocol.plan import ValueList

ADA = Actor(kind="person", id="user:1", label="Ada")
CELL, SECRET = "Hildegard-cell", "whsec_never-shown"


def tenant(name: str) -> Tenant:
    return Tenant.objects.create(public_id=name, label=name.title(), created_at=clock.now())


def add_rows(owner: Tenant, count: int = 1) -> dict[str, list[Any]]:
    """Add some rows of each kind; return them by model."""
    added: dict[str, list[Any]] = {}
    for _ in range(count):
        for row in _one_of_each(owner):
            added.setdefault(row._meta.model_name, []).append(row)
    return added


def _one_of_each(owner: Tenant) -> list[Any]:
    now = clock.now()
    license = License.objects.create(
        public_id=new_id("lic_"), tenant=owner, plan=f"plan-{owner.pk}", issued_at=now,
        expires_at=now + timedelta(days=9), key_sha256=SECRET,
    )  # fmt: skip
    person = get_user_model().objects.create(username=new_id("usr_"))
    member = Membership.objects.create(user=person, tenant=owner, role="viewer")
    page = PageSession.objects.create(
        public_id=new_id("ses_"), tenant=owner, license=license, token_sha256=new_id("x"),
        meta={"patient": CELL}, scope=f"scope-{owner.pk}", created_at=now,
        expires_at=now + timedelta(hours=1),
    )  # fmt: skip
    link = Link.objects.create(
        public_id=new_id("lnk_"), state="open", tenant=owner, license=license, kind="single",
        token_sha256=new_id("t"), catalog_key="orders", terms={"meta": {"patient": CELL}},
        page={"name": owner.label}, code_hash=SECRET, created_at=now,
        expires_at=now + timedelta(days=7),
    )  # fmt: skip
    events.note(
        tenant=owner.public_id, kind="rows.edited", subject=owner.public_id, actor=ADA, at=now
    )
    known_set = KnownSet.objects.create(tenant=owner, scope="", entity=new_id("e"))
    known = KnownEntity.objects.create(
        known_set=known_set, ref=new_id("r"), values={"number": CELL}, changed_at=now
    )
    named, _ = value_lists.replace_list(
        tenant=owner, key=new_id("l").lower(), columns=ValueList((owner.public_id,), ("x",)),
        actor=ADA, at=now,
    )  # fmt: skip
    return [
        license, member, page, link, known_set, known, named, _event(owner), _feed(owner),
        *_of_imports(owner), *_of_deliveries(owner),
    ]  # fmt: skip


def _event(owner: Tenant) -> Any:
    from common.models import Event

    return Event.objects.filter(tenant=owner.public_id).latest("pk")


def _feed(owner: Tenant) -> Feed:
    return Feed.objects.create(
        public_id=new_id("fed_"), state="paused", tenant=owner, name=f"Feed of {owner.public_id}",
        kind="sftp", catalog_key="orders", settings={"host": "files.example", "user": "engine"},
        secret=SECRET, meta={"patient": CELL}, schedule="0 6 * * 1", created_at=clock.now(),
        created_by=ADA.as_dict(),
    )  # fmt: skip


def _of_imports(owner: Tenant) -> list[Any]:
    now, who = clock.now(), ADA.as_dict()
    key = new_id("c")[:40].lower()
    catalog = Catalog.objects.create(tenant=owner, key=key, created_at=now)
    version = CatalogVersion.objects.create(
        public_id=new_id("cat_"), state="published", catalog=catalog, number=1, document="{}",
        title=key, etag="e", saved_at=now, saved_by=who, published_at=now, published_by=who,
    )  # fmt: skip
    record = ImportRecord.objects.create(
        public_id=new_id("rec_"), state="review", version=1, tenant=owner, catalog_version=version,
        filename=f"file of {owner.public_id}.csv", created_at=now, token_sha256=SECRET,
        parsed=Parsed({"rows": [CELL]}, {"x": CELL}, {"samples": [CELL]}), report={"x": CELL},
        decided=Decided({"Name": "people.name"}, {"steps": [CELL]}), meta={"of": "customer-17"},
        context={"defaults": CELL}, counts={"rows": 3, "by": {CELL: 1}},
    )  # fmt: skip
    question = Question.objects.create(
        public_id=new_id("qst_"), state="answered", tenant=owner, subject=record.public_id,
        kind="category_value", fingerprint="f", asked_at=now, candidates=[{"value": CELL}],
        evidence=[CELL], default=CELL, answer=CELL, answered_by=who, answered_at=now,
    )  # fmt: skip
    answer = Answer.objects.create(
        public_id=new_id("ans_"), tenant=owner, kind="category_value", fingerprint=new_id("f"),
        evidence=[CELL], value=CELL, answered_by=who, answered_at=now,
    )  # fmt: skip
    profile = Profile.objects.create(
        public_id=new_id("prf_"), tenant=owner, catalog_key=key, fingerprint="f", columns=["Name"],
        mapping={"Name": "people.name"}, recipe={"steps": [CELL]}, saved_at=now, saved_by=who,
    )  # fmt: skip
    changeset = Changeset.objects.create(
        public_id=new_id("chg_"), state="applied", tenant=owner, record=record, revision=1,
        apply_mode="browser", invalid_rows="block", counts={"imported": 3},
        occurred_at=now, applied_by=who, revert_notes=[{"said": CELL}],
    )  # fmt: skip
    Move.objects.create(
        subject=record.public_id, from_state="mapping", to_state="review", version=1, actor=who,
        at=now,
    )  # fmt: skip
    signing = SigningKey.objects.create(
        tenant=owner, kid=new_id("kid"), private_pem=SECRET, public_jwk={}, created_at=now,
        retired_at=now,
    )  # fmt: skip
    contract = IssuedContract.objects.create(
        tenant=owner, contract_id=new_id("sha256:"), bundle="{}", title=f"for {owner.public_id}",
        key=signing, catalog_version=version, created_at=now, created_by=who,
    )  # fmt: skip
    return [record, question, answer, profile, changeset, signing, contract]


def _of_deliveries(owner: Tenant) -> list[Any]:
    now = clock.now()
    registration = Registration.objects.create(
        public_id=new_id("whk_"), tenant=owner, url=f"https://h.example/{owner.pk}?k={SECRET}",
        secret=SECRET, created_at=now,
    )  # fmt: skip
    delivery = Delivery.objects.create(
        public_id=new_id("dlv_"), state="rejected", tenant=owner, registration=registration,
        record_id=f"rec of {owner.public_id}", action="submit", body_size=1, body_sha256="s",
        row_count=1, created_at=now, settled_at=now, host_results=[{"before": CELL}],
    )  # fmt: skip
    delivery.history.create(
        number=1, started_at=now, finished_at=now, http_status=422, latency_ms=1,
    )  # fmt: skip
    return [registration, delivery]

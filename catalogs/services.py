"""The operations of an editor: save a draft, publish it, retire a catalog, restore a version."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from catalogs import selectors, transitions
from catalogs.documents import Document, checked_key, findings_in, given
from catalogs.errors import (
    BreakingChanges,
    CatalogInvalid,
    DraftChanged,
    DraftInvalid,
    FailingTests,
    NoDraft,
    NotPublished,
    TestsNotRun,
)
from catalogs.models import Catalog, CatalogVersion
from common.actors import Actor, is_engine
from common.ids import new_id
from common.rows import the_only
from licensing.models import Tenant
from licensing.refusals import SecondPersonNeeded
from tabular.model.catalog_findings import Finding, is_blocking

ANY = "*"  # any current draft
NONE = ""  # there must be no draft yet

BREAKING = "breaking"  # confirms a draft that changes what hosts receive
TESTS = "tests"  # confirms that a draft is published whatever its test files give
State = CatalogVersion.State


def save_draft(
    *,
    tenant: Tenant,
    key: str,
    text: str | bytes,
    at: datetime,
    actor: Actor,
    expected: str = ANY,
    note: str = "",
) -> CatalogVersion:
    """
    Save a catalog's draft; a new key creates the catalog.

    ``expected`` is the etag of the draft that was edited, NONE if there was none, or ANY. Raise
    DraftChanged if the draft is a different one now; saving the same text changes nothing and never
    conflicts. The draft may be invalid; ``publish`` checks it.
    """
    wanted = given(text, key=checked_key(key))
    with transaction.atomic():
        catalog = _locked(tenant, key, at=at)
        draft = the_only(catalog.versions.filter(state=State.DRAFT))
        number = draft.number if draft else _next_number(catalog)
        document = wanted.numbered(number)
        if draft is None:
            _compare(NONE, expected)
            return _new_draft(catalog, number, document, at=at, actor=actor, note=note)
        if draft.etag != document.etag:
            _compare(draft.etag, expected)
            _overwrite(draft, document, at=at, actor=actor, note=note)
        return draft


def publish(
    *,
    tenant: Tenant,
    key: str,
    at: datetime,
    actor: Actor,
    expected: str = ANY,
    note: str = "",
    confirm: frozenset[str] | None = None,
) -> CatalogVersion:
    """
    Publish the draft and retire the version published before it.

    ``confirm``: which warnings about the draft were confirmed; None means that none were requested,
    so breaking changes do not prevent publishing. Raise UnknownCatalog, NoDraft, DraftInvalid with
    every error, SecondPersonNeeded for a person who edited the draft, BreakingChanges, TestsNotRun,
    FailingTests, or DraftChanged if the draft is not the ``expected`` one, or is saved again while
    it is checked.
    """
    draft = selectors.draft(tenant, key)
    if draft is None:
        raise NoDraft
    _compare(draft.etag, expected)
    if wrong := _blocking(draft.document):
        raise DraftInvalid(wrong)
    _refuse_editor(draft, actor)
    if confirm is not None:
        _ask_about_breaking(draft, confirm)
    _check_tests(draft, confirm or frozenset())
    with transaction.atomic():
        catalog = _locked(tenant, key, at=at)
        now = the_only(catalog.versions.filter(state=State.DRAFT))
        if now is None or now.etag != draft.etag:
            raise DraftChanged
        return transitions.publish(now, note=note, actor=actor, at=at)


def _refuse_editor(draft: CatalogVersion, actor: Actor) -> None:
    """
    Raise SecondPersonNeeded for a person who edited a draft, where another one has to publish it.

    The version before it counts, too, also when it is retired: a draft cannot drop the rule alone.
    """
    if is_engine(actor.as_dict()):
        return
    former = _former(draft.catalog)
    versions = (draft, former) if former else (draft,)
    rules = [version.as_catalog().second_person for version in versions]
    if not any(rule and rule.most_alone("publish") is not None for rule in rules):
        return
    if any(item["id"] == actor.id for item in draft.editors):
        raise SecondPersonNeeded("second_person_needed.draft")


def _former(catalog: Catalog) -> CatalogVersion | None:
    """Return the newest version that is not a draft, also a retired one; None without one."""
    return catalog.versions.exclude(state=State.DRAFT).order_by("-number").first()


def _changes_nothing(catalog: Catalog, text: str) -> bool:
    """Return whether a draft has the content of the version before it."""
    former = _former(catalog)
    return (
        former is not None
        and given(text, key=catalog.key).numbered(former.number).etag == former.etag
    )


def _check_tests(draft: CatalogVersion, confirmed: frozenset[str]) -> None:
    """Raise a Conflict while a test file was not run with this very draft, or fails with it."""
    if TESTS in confirmed:
        return
    tests = [t for t in selectors.tests_of(draft.catalog) if t.name not in confirmed]
    if stale := [test for test in tests if test.etag != draft.etag or test.got is None]:
        raise TestsNotRun([test.name for test in stale])
    if failing := [test for test in tests if test.differences]:
        raise FailingTests({test.name: test.differences for test in failing})


def _ask_about_breaking(draft: CatalogVersion, confirm: frozenset[str]) -> None:
    if BREAKING in confirm:
        return
    published = the_only(draft.catalog.versions.filter(state=State.PUBLISHED))
    changes = selectors.changes_between(published, draft)
    if breaking := [change for change in changes if change.verdict.judged == BREAKING]:
        raise BreakingChanges(breaking)


def retire(
    *, tenant: Tenant, key: str, at: datetime, actor: Actor, note: str = ""
) -> CatalogVersion:
    """
    Retire a catalog: no new import uses it, and another one may become the only one.

    Imports that started with the version finish with it. A draft remains, and publishing it puts
    the catalog back in use. Raise UnknownCatalog or NotPublished.
    """
    catalog = selectors.catalog(tenant, key)
    with transaction.atomic():
        Catalog.objects.select_for_update().get(pk=catalog.pk)
        version = the_only(catalog.versions.filter(state=State.PUBLISHED))
        if version is None:
            raise NotPublished
        return transitions.retire(version, note=note, actor=actor, at=at)


def restore_version(
    *,
    tenant: Tenant,
    key: str,
    number: int,
    at: datetime,
    actor: Actor,
    expected: str = ANY,
) -> CatalogVersion:
    """Save the content of a version as the draft. Raise UnknownVersion or DraftChanged."""
    version = selectors.version(tenant, key, number)
    if version.state == State.DRAFT:
        return version
    return save_draft(
        tenant=tenant,
        key=key,
        text=version.document,
        at=at,
        actor=actor,
        expected=expected,
        note=f"Restored from version {number}",
    )


def publish_document(
    *,
    tenant: Tenant,
    key: str,
    text: str | bytes,
    at: datetime,
    actor: Actor,
    expected: str = NONE,
    note: str = "",
    confirm: frozenset[str] | None = None,
) -> CatalogVersion:
    """
    Save and publish in one step; an already published catalog does not change.

    Nothing is saved if the catalog has errors. A different existing draft is kept (raises
    DraftChanged), unless ``expected`` names it or is ANY. Where another person has to publish it,
    it is saved as the draft for them, and SecondPersonNeeded is raised.
    """
    wanted = given(text, key=checked_key(key))
    if wrong := _blocking(wanted.numbered(1).text):
        raise CatalogInvalid(wrong)
    current = the_only(selectors.published_catalogs(tenant).filter(catalog__key=key))
    if current and wanted.numbered(current.number).etag == current.etag:
        return current
    draft = save_draft(
        tenant=tenant, key=key, text=text, at=at, actor=actor, expected=expected, note=note
    )
    return publish(
        tenant=tenant,
        key=key,
        at=at,
        actor=actor,
        expected=draft.etag,
        note=note,
        confirm=confirm,
    )


def _locked(tenant: Tenant, key: str, *, at: datetime) -> Catalog:
    """Make concurrent writers of one catalog wait for each other (SQLite: all writers wait)."""
    Catalog.objects.get_or_create(tenant=tenant.owner, key=key, defaults={"created_at": at})
    return Catalog.objects.select_for_update().get(tenant=tenant.owner, key=key)


def _blocking(text: str) -> list[Finding]:
    return [finding for finding in findings_in(text) if is_blocking(finding)]


def _compare(actual: str, expected: str) -> None:
    if expected not in {ANY, actual}:
        raise DraftChanged


def _next_number(catalog: Catalog) -> int:
    highest: int | None = catalog.versions.aggregate(highest=Max("number"))["highest"]
    return (highest or 0) + 1


def _new_draft(
    catalog: Catalog, number: int, document: Document, *, at: datetime, actor: Actor, note: str
) -> CatalogVersion:
    return CatalogVersion.objects.create(
        public_id=new_id("ctv_"),
        state=State.DRAFT,
        catalog=catalog,
        number=number,
        document=document.text,
        title=document.title,
        etag=document.etag,
        note=note[: CatalogVersion.NOTE_LENGTH],
        saved_at=at,
        saved_by=actor.as_dict(),
        edited_by=[actor.as_dict()],
    )


def _overwrite(
    draft: CatalogVersion, document: Document, *, at: datetime, actor: Actor, note: str
) -> None:
    started_over = _changes_nothing(draft.catalog, draft.document)
    editors = [] if started_over else draft.editors
    draft.document, draft.title, draft.etag = document.text, document.title, document.etag
    draft.note, draft.saved_at, draft.saved_by = (
        note[: CatalogVersion.NOTE_LENGTH],
        at,
        actor.as_dict(),
    )
    draft.edited_by = (
        []  # who restores a version edits nothing
        if _changes_nothing(draft.catalog, document.text)
        else [item for item in editors if item["id"] != actor.id] + [actor.as_dict()]
    )
    draft.save(
        update_fields=["document", "title", "etag", "note", "saved_at", "saved_by", "edited_by"]
    )

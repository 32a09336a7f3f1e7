"""Queries for imports, always of one tenant."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Q, QuerySet

from common.errors import Conflict, NotFound
from common.rows import the_only
from common.secrets import token_digest
from imports import inputs
from imports.customization import UnknownProfile
from imports.models import ImportRecord, Profile
from ledger import selectors as ledger
from ledger.models import Question
from licensing.caller import Caller
from licensing.models import Tenant
from pipeline.target import Choice
from staging import selectors as staging
from staging.issues import texts_with

State, Purpose = ImportRecord.State, ImportRecord.Purpose
WAITING = (State.MAPPING, State.REVIEW, State.STAGED)  # for a person
DAY = timedelta(days=1)


class UnknownImport(NotFound):
    """There is no such import."""

    code = "unknown_import"


class UnknownCorrection(NotFound):
    """There is no such corrected file."""

    code = "unknown_correction"


class NoRowsYet(Conflict):
    """There are no rows yet. Confirm the mapping, then wait for the state `review`."""

    code = "no_rows_yet"


def imports_of(tenant: Tenant) -> "QuerySet[ImportRecord]":
    """Return a tenant's imports, without samples and checks."""
    mine = ImportRecord.objects.filter(tenant=tenant, purpose=ImportRecord.Purpose.IMPORT)
    return mine.select_related("catalog_version__catalog", "tenant")


def counts_of_day(records: "QuerySet[ImportRecord]", *, at: datetime) -> dict[str, int]:
    """Return how many imports came, were applied and failed within a day, and how many wait."""
    since = at - DAY
    came = Q(created_at__gt=since)
    return records.aggregate(
        received=Count("pk", filter=came),
        applied=Count("pk", filter=Q(applied_at__gt=since)),
        failed=Count("pk", filter=came & Q(state=State.FAILED)),
        waiting=Count("pk", filter=Q(state__in=WAITING)),
    )


def named(imports: "QuerySet[ImportRecord]", part: str) -> "QuerySet[ImportRecord]":
    """Return the imports whose file name contains a text; SQLite folds the case of ASCII only."""
    # The inner query reads only the index of names, because the rows themselves are wide.
    return imports.filter(
        public_id__in=imports.filter(filename__icontains=part).values("public_id")
    )


def imports_for(caller: Caller) -> "QuerySet[ImportRecord]":
    """Return the imports, including samples, that a caller may access; see ``import_for``."""
    mine = ImportRecord.objects.filter(
        tenant=caller.tenant, purpose__in=[Purpose.IMPORT, Purpose.SAMPLE]
    )
    return mine.filter(_reach(caller)) if caller.is_page else mine


def _reach(caller: Caller) -> Q:
    """Return the filter for a page's imports: those its token opens, and those of its session."""
    by_token = Q(token_sha256=token_digest(caller.import_token)) if caller.import_token else None
    session = caller.session
    if session is None:
        return Q(license_id=caller.license_id) & (by_token or Q(pk__in=[]))
    if session.corrects:
        return Q(public_id=session.corrects)
    mine = Q(session_id=session.session_id)
    if by_token is not None:
        mine |= by_token & ~Q(session_id="")
    if session.scope and not session.own_only:  # one customer of the host, shared by its users
        mine = Q()
    if session.catalog_key:
        mine &= Q(catalog_version__catalog__key=session.catalog_key)
    return mine & Q(scope=session.scope)


def listed_for(caller: Caller) -> "QuerySet[ImportRecord]":
    """Return the imports that a caller may list: of a page's session, those that it may access."""
    listed = imports_of(caller.tenant)
    return listed.filter(_reach(caller)) if caller.is_page else listed


def questions_for(caller: Caller) -> QuerySet[Question]:
    """Return the questions of all imports that a caller may access, in the order of asking."""
    mine = ledger.questions_of(caller.tenant)
    if caller.is_page:
        mine = mine.filter(subject__in=imports_for(caller).values("public_id"))
    return mine


def question_for(caller: Caller, question_id: str) -> Question:
    """Return a question about an import that a caller may access. Raise UnknownQuestion if none."""
    question = ledger.question_of(caller.tenant, question_id)
    if caller.is_page:  # access to the import includes its questions
        try:
            file_for(caller, question.subject)
        except UnknownImport as error:
            raise ledger.UnknownQuestion from error
    return question


def import_for(caller: Caller, record_id: str) -> ImportRecord:
    """
    Return an import that a caller may access. Raise UnknownImport for any other.

    A page key may access imports it created, each with its own token, because every visitor has the
    key. A page session may access those of its scope; without a scope, those it created or has the
    token of; never those of another scope or catalog.
    """
    return _one(caller, record_id, Purpose.IMPORT)


def rows_import_for(caller: Caller, record_id: str) -> ImportRecord:
    """Return the same, with only what names its rows; Django loads the rest where it is asked."""
    mine = imports_for(caller).filter(public_id=record_id, purpose=Purpose.IMPORT)
    return _found(caller, mine.only("public_id", "revision"))


def is_kept(record_id: str) -> bool:
    """Return whether an import exists and was not purged."""
    return ImportRecord.objects.filter(public_id=record_id, purged_at=None).exists()


def is_purged(record_id: str) -> bool:
    """Return whether an import exists of which only the history is kept."""
    return ImportRecord.objects.filter(public_id=record_id, purged_at__isnull=False).exists()


def file_for(caller: Caller, record_id: str) -> ImportRecord:
    """Return an import that a caller may access, or a file that was only analyzed so far."""
    return _one(caller, record_id, Purpose.IMPORT, Purpose.SAMPLE)


def _one(caller: Caller, record_id: str, *purposes: str) -> ImportRecord:
    mine = imports_for(caller).filter(public_id=record_id, purpose__in=purposes)
    return _found(caller, mine.select_related("catalog_version__catalog"))


def _found(caller: Caller, mine: "QuerySet[ImportRecord]") -> ImportRecord:
    record = the_only(mine)
    if record is None:
        raise UnknownImport
    record.tenant = caller.tenant
    return record


def check_of(tenant: Tenant, record_id: str) -> ImportRecord:
    """
    Return a check of a file against a contract.

    Raise UnknownImport if the tenant has no such check.
    """
    mine = ImportRecord.objects.filter(tenant=tenant, purpose=ImportRecord.Purpose.CHECK)
    record = the_only(mine.filter(public_id=record_id))
    if record is None:
        raise UnknownImport
    return record


def correction_of(record: ImportRecord, correction_id: str) -> ImportRecord:
    """Return a corrected file of an import. Raise UnknownCorrection for any other."""
    mine = record.corrections.filter(public_id=correction_id, retried_rows=None)
    correction = the_only(mine.select_related("catalog_version__catalog", "tenant"))
    if correction is None:
        raise UnknownCorrection
    return correction


def applied_before(records: Iterable[ImportRecord]) -> dict[str, str]:
    """
    Return the imports whose identical file an earlier import applied to the same catalog.

    Takes imports of one tenant; returns public id to public id of the first that was applied.
    """
    comparable = [record for record in records if record.sha256 and record.catalog_version_id]
    if not comparable:
        return {}
    same = ImportRecord.objects.filter(
        tenant=comparable[0].tenant_id,
        sha256__in={r.sha256 for r in comparable},
        state=State.APPLIED,
    )
    applied = same.order_by("applied_at", "pk").values_list(
        "pk", "public_id", "applied_at", "sha256", "catalog_version__catalog__key"
    )
    by_sha256: dict[str, str] = {}
    for pk, public_id, applied_at, *about in applied:
        for record in comparable:
            if record.pk == pk or about != [record.sha256, record.catalog_key]:
                continue
            if record.applied_at is None or (applied_at or record.applied_at) < record.applied_at:
                by_sha256.setdefault(record.public_id, public_id)
    return by_sha256


def asking(records: Iterable[ImportRecord]) -> set[str]:
    """Return the public ids of the imports, of one tenant, with open questions."""
    waiting = [record for record in records if record.state in {State.MAPPING, State.REVIEW}]
    if not waiting:
        return set()
    subjects = [record.public_id for record in waiting]
    return ledger.asking(waiting[0].tenant, subjects)


def profiles_of(tenant: Tenant) -> "QuerySet[Profile]":
    """Return a tenant's saved mappings."""
    return Profile.objects.filter(tenant=tenant)


def profile_of(tenant: Tenant, profile_id: str) -> Profile:
    """Return a saved mapping of a tenant. Raise UnknownProfile if it has no such mapping."""
    row = the_only(profiles_of(tenant).filter(public_id=profile_id))
    if row is None:
        raise UnknownProfile
    return row


@dataclass(frozen=True, slots=True)
class FieldValues:
    """A field's texts without an option, with counts; its options; and the decided texts."""

    field: str
    unmatched: list[dict[str, Any]]  # {value, count}, the most frequent first
    options: tuple[Choice, ...]
    settled: dict[str, Any]  # text to an option's value, or null


class NoOptions(NotFound):
    """The catalog has no field with options under this path."""

    code = "no_options"


def options_to_choose(record: ImportRecord, path: str) -> tuple[Choice, ...]:
    """Return the options of a field. Raise NoOptions if it has none to choose from."""
    target = inputs.target_of(record)
    options = target.options_of(path) if path in target.fields else ()
    if not options:
        raise NoOptions
    return options


def values_of(record: ImportRecord, field: str) -> FieldValues:
    """Return which texts of a reviewed field need options. Raise NoOptions or NoRowsYet."""
    options = options_to_choose(record, field)
    table = staging.at_revision(record.public_id, record.revision)
    if table is None:
        raise NoRowsYet
    answered = ledger.questions_about(record.tenant, record.public_id).filter(
        state=Question.State.ANSWERED, kind="category_value", field=field
    )
    return FieldValues(
        field=field,
        unmatched=texts_with(table, field=field, code="unknown_option"),
        options=options,
        settled={question.evidence[0]: question.answer for question in answered},
    )


def days_kept(record: ImportRecord) -> int:
    """Return after how many days without an event retention deletes an import."""
    of_tenant = record.tenant.owner.retention_days
    version = record.catalog_version
    of_catalog = version.as_catalog().retention_days if version else None
    return min(days for days in (settings.RETENTION_DAYS, of_tenant, of_catalog) if days)

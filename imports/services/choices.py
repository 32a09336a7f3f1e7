"""Confirm the mapping of an import; change, retry, cancel and delete an import."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from catalogs.models import CatalogVersion
from common import storage
from common.actors import Actor
from common.errors import Conflict, InvalidRequest
from common.wording.messages import Message, english_message
from deliveries.services import purge_import
from imports import transitions
from imports.answers.reading_choices import skipped_again, with_restored
from imports.answers.snapshots import save_snapshot
from imports.events import announce_import, note
from imports.exports.workbooks import drop_workbooks
from imports.mapping.custom_fields import Wish, with_added
from imports.mapping.required_fields import check_required
from imports.mapping.value_lists import pinned_recipe
from imports.models import ImportRecord
from imports.parts import Decided
from imports.services.mapping_check import check_mapping
from imports.transitions import WAITING, NotWaiting
from ledger import selectors as ledger
from ledger.services import purge
from ledger.transitions import supersede
from pipeline.draft import MappingDraft
from pipeline.kinds import COLUMN_KINDS
from staging import services as staging
from tabular.model.places import ReadingChoices, join_fault
from tabular.model.places import fault as stacking_fault
from tabular.model.table import Table

State = ImportRecord.State


def confirm_mapping(
    *,
    record: ImportRecord,
    mapping: dict[str, str],
    recipe: dict[str, Any] | None,
    custom_fields: Sequence[Wish] = (),
    remember: bool = True,
    allow_missing: bool = False,
    actor: Actor,
    at: datetime,
) -> ImportRecord:
    """
    Map columns to fields and transform the rows. Raise InvalidRequest with every error.

    custom_fields: columns that become fields of their own; those of an earlier call stay while the
    mapping names them.

    allow_missing: whether required fields may have no column; otherwise raise RequiredUnmapped.

    The mapping also closes the questions about columns. remember: whether it is saved for the next
    file with this header once it is applied.
    """
    if record.state not in WAITING:
        raise NotWaiting("not_waiting.mapping", state=record.state)
    present = record.decided.custom_fields or []
    added = with_added(record.target, present, mapping, custom_fields)
    mapping = added.mapping
    check_mapping(record, mapping, recipe, added)
    recipe = pinned_recipe(record.tenant, recipe)
    draft = MappingDraft(mapping, tuple((recipe or {}).get("steps", ())))
    if not allow_missing:
        check_required(record, draft)
    with transaction.atomic():
        save_snapshot(record)
        questions = ledger.open_questions(record.tenant, record.public_id)
        supersede(
            questions=questions.filter(kind__in=COLUMN_KINDS), at=at, reason="mapping settled"
        )
        decided = Decided(
            mapping=mapping,
            recipe=recipe,
            custom_fields=added.fields or None,
            profile=record.decided.profile if draft == record.proposed else None,
            by=actor.as_dict() if remember else None,
        )
        note(record, "mapping.settled", actor=actor, at=at, fields=len(mapping))
        return transitions.confirm(record, decided, actor=actor, at=at)


class CatalogSettled(Conflict):
    """The import already uses another catalog. Upload the file again for this one."""

    code = "catalog_settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportSettings:
    """What a host sets for an import besides its catalog; None: not set."""

    context: dict[str, Any] | None = None
    overlay: dict[str, Any] | None = None
    scope: str | None = None
    meta: dict[str, Any] | None = None
    keep_unmapped: bool | None = None

    def given(self) -> dict[str, Any]:
        """Return what is given, by the columns of a record."""
        return {name: value for name, value in asdict(self).items() if value is not None}


NO_SETTINGS = ImportSettings()


def choose_catalog(
    *,
    record: ImportRecord,
    catalog_version: CatalogVersion,
    about: ImportSettings = NO_SETTINGS,
    actor: Actor,
    at: datetime,
) -> ImportRecord:
    """
    Turn a sample into an import: map it to a catalog, and continue until a question is open.

    An import into this catalog is left unchanged. Raise CatalogSettled if it has another catalog,
    or if something else is said of it.
    """
    if record.purpose != ImportRecord.Purpose.SAMPLE:
        as_before = all(getattr(record, name) == value for name, value in about.given().items())
        if record.catalog_key == catalog_version.catalog.key and as_before:
            return record
        raise CatalogSettled
    if record.state != State.MAPPING:
        raise NotWaiting("not_waiting.catalog", state=record.state)
    return transitions.read_for(record, catalog_version, actor=actor, at=at, **about.given())


def choose_reading(
    *,
    record: ImportRecord,
    choices: ReadingChoices,
    keeps_restored: bool = False,
    require_exclude: Callable[[], None] = lambda: None,
    actor: Actor,
    at: datetime,
) -> ImportRecord:
    """
    Read the file again with chosen tables, header, encoding or delimiter.

    Raise InvalidRequest, with the reason, if tables cannot be stacked or joined. keeps_restored:
    the choices name no rows to restore; those restored before remain. require_exclude: raises if
    the caller may not skip a row that was restored.
    """
    if record.state not in WAITING:
        raise NotWaiting("not_waiting.table", state=record.state)
    choices = _tables_checked(record, choices)
    if keeps_restored:
        choices = with_restored(choices, record.chosen)
    if skipped_again(choices, record.chosen):
        require_exclude()
    with transaction.atomic():
        save_snapshot(record)
        return transitions.read_again(record, choices, actor=actor, at=at)


def _tables_checked(record: ImportRecord, choices: ReadingChoices) -> ReadingChoices:
    """Return the validated choices; a list of one table becomes that table."""
    if choices.entries:
        return _entries_checked(record, choices)
    numbers = choices.tables
    if not numbers:
        return choices
    if choices.table is not None or len(set(numbers)) < len(numbers):
        raise _refused(Message("unknown_table.twice"))
    known = record.file_read.tables if record.file_read else ()
    if wrong := [n for n in numbers if n >= len(known) or known[n].stacked]:
        raise _refused(Message("unknown_table.stack", number=wrong[0]))
    if choices.joined_on is not None:
        return _join_checked(choices, [known[number] for number in numbers])
    if len(numbers) == 1:
        return replace(choices, tables=(), table=numbers[0])
    if fault := stacking_fault([known[number] for number in numbers]):
        raise _refused(english_message(fault[1]), code=fault[0])
    return choices


def _join_checked(choices: ReadingChoices, tables: Sequence[Table]) -> ReadingChoices:
    """Return the choices with two tables that can be joined; how well is for the reader to see."""
    if fault := join_fault(choices.tables, tables, choices.joined_on or ()):
        raise _refused(english_message(fault[1]), code=fault[0], at="join")
    return choices


def _entries_checked(record: ImportRecord, choices: ReadingChoices) -> ReadingChoices:
    """Return the choices with the tables that feed entries; each of them is a separate table."""
    if choices.tables or choices.table is not None:
        raise _refused(Message("unknown_table.entries"), at="entries")
    entries = dict(choices.entries)
    there = {entry.id for entry in record.target.entries}
    if unknown := sorted(entries.keys() - there):
        raise _refused(Message("unknown_entry", entry=unknown[0]), at="entries")
    known = record.file_read.tables if record.file_read else ()
    numbers = sorted(set(entries.values()))
    if wrong := [n for n in numbers if n >= len(known) or known[n].stacked]:
        raise _refused(Message("unknown_table.entry", number=wrong[0]), at="entries")
    if len(numbers) == 1:
        return replace(choices, table=numbers[0])
    return replace(choices, tables=tuple(numbers))


def _refused(wrong: Message, *, code: str = "", at: str = "tables") -> InvalidRequest:
    code = code or wrong.key.partition(".")[0]
    errors = [{"pointer": f"/{at}", "code": code, "detail": wrong}]
    return InvalidRequest(wrong, code=code, errors=errors)


def delete(*, record: ImportRecord, actor: Actor, at: datetime, rule: str = "") -> None:
    """
    Purge bytes and rows now, including unsent deliveries; the audit trail remains.

    rule: the rule that purges it, if no person does.
    """
    for correction in record.corrections.filter(purged_at__isnull=True, retried_rows=None):
        delete(record=correction, actor=actor, at=at, rule=rule)
    if record.may_move_to(State.CANCELLED):
        transitions.cancel(record, actor=actor, at=at, reason="deleted")
    names = [name for name in (record.file, record.source) if name]
    names += record.chunks.values_list("file", flat=True)
    names += drop_workbooks(record)
    with transaction.atomic():
        ImportRecord.objects.filter(pk=record.pk).update(
            file="",
            source="",
            parsed=replace(record.parsed, reading=None, proposal=None),
            report=None,
            tested_against=None,
            purged_at=at,
        )
        if record.purged_at is None:
            note(record, "import.purged", actor=actor, at=at, rule=rule)
            if rule:
                announce_import(record, "import.expired", at=at, rule=rule)
    record.chunks.all().delete()
    record.snapshots.all().delete()
    record.host_checks.all().delete()
    record.bulk_changes.all().delete()
    staging.purge(subject=record.public_id)
    purge(tenant=record.tenant, subject=record.public_id, at=at)
    purge_import(tenant=record.tenant, record_id=record.public_id, actor=actor, at=at)
    for name in names:
        storage.delete(name)

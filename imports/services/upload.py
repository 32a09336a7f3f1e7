"""Receive a file, or several as one."""

import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction

from catalogs.models import CatalogVersion
from common import clock, storage
from common.actors import Actor
from common.errors import TooLarge, Unprocessable
from common.ids import new_id
from common.work.life import tell
from imports import transitions
from imports.allowances import refuse_beyond
from imports.models import ImportRecord
from imports.parts import Parsed, Progress
from licensing.models import Tenant
from tabular.model.places import ReadingChoices, plain_name
from tabular.protocol.requests import choices_kept

State = ImportRecord.State
SOURCES = "sources"  # the folder in storage
MOST_FILES = 20  # of one import
RECEIVING = "receiving"  # the stage in which done and total count bytes


class EmptyFile(Unprocessable):
    """This file is empty. Save it again, then upload it."""

    code = "empty_file"


class AnnouncedTooLarge(Unprocessable):
    """The file is larger than the engine accepts."""

    code = TooLarge.code


def pack_files(files: Sequence[tuple[str, storage.StoredFile]]) -> storage.StoredFile:
    """
    Store several files as one archive, which is read like an archive that was sent.

    files: their names and what is stored of them, which stays. The content is not compressed and
    not changed, and equal files give an equal archive. Raise EmptyFile if one is empty.
    """
    if not all(stored.size for _, stored in files):
        raise EmptyFile
    with storage.Incoming(SOURCES) as target:
        with zipfile.ZipFile(_Written(target), "w", zipfile.ZIP_STORED) as archive:  # type: ignore[call-overload]  # it needs no more than to be written
            for name, (_, stored) in zip(_distinct(name for name, _ in files), files, strict=True):
                entry = zipfile.ZipInfo(name)  # with a fixed date, so that equal files are equal
                with archive.open(
                    entry, "w", force_zip64=stored.size > zipfile.ZIP64_LIMIT
                ) as part:
                    for chunk in storage.stream(stored.name):
                        part.write(chunk)
        return target.finish()


class _Written:
    """Stored bytes as the file that an archive writes to, from its beginning to its end."""

    def __init__(self, target: storage.Incoming) -> None:
        self._target = target

    def write(self, chunk: bytes) -> int:
        """Write bytes."""
        self._target.write(bytes(chunk))
        return len(chunk)

    def flush(self) -> None:
        """Do nothing: the whole file is flushed at its end."""


def _distinct(names: Iterable[str]) -> Iterator[str]:
    """Yield names for the files of an archive, which differ in more than case."""
    taken: set[str] = set()
    for given in names:
        name = plain_name(given) or "file"
        stem, dot, extension = name.rpartition(".")
        unique, number = name, 2
        while unique.casefold() in taken:
            unique = f"{stem} ({number}).{extension}" if dot else f"{name} ({number})"
            number += 1
        taken.add(unique.casefold())
        yield unique


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """The caller's options for an import, apart from its bytes."""

    meta: dict[str, Any] | None = None
    context: dict[str, Any] = field(default_factory=dict)
    overlay: dict[str, Any] | None = None
    auto_map: bool = False
    keep_unmapped: bool = False
    purpose: str = ImportRecord.Purpose.IMPORT
    corrects: ImportRecord | None = None
    choices: ReadingChoices = field(default_factory=ReadingChoices)  # how to read the file
    scope: str = ""  # one customer of the host: memory never crosses it
    from_page: bool = False
    session_id: str = ""
    started_by: dict[str, str] | None = None  # the actor
    token_sha256: str = ""
    contract_id: str = ""
    contract: dict[str, Any] | None = None  # its constraints: see pipeline.terms
    tested_against: dict[str, Any] | None = None  # what a file is tested against
    origin: dict[str, Any] | None = None  # of a file that arrived by itself


def receive_file(chunks: Iterable[bytes]) -> storage.StoredFile:
    """Store the bytes of an import. Raise TooLarge or EmptyFile, and leave nothing behind."""
    stored = storage.store(SOURCES, chunks, max_bytes=settings.MAX_FILE_BYTES)
    if stored.size == 0:
        storage.delete(stored.name)
        raise EmptyFile
    return stored


def create_import(
    *,
    tenant: Tenant,
    catalog_version: CatalogVersion | None,
    filename: str,
    stored: storage.StoredFile,
    actor: Actor,
    at: datetime,
    options: ImportOptions,
    license_id: str = "",
    public_id: str = "",
) -> ImportRecord:
    """
    Create an import with stored bytes, and start reading it. Raise EmptyFile without bytes.

    public_id: the id of a sample; every other import gets a new one.
    """
    if stored.size == 0:
        raise EmptyFile
    refuse_beyond(tenant, size=stored.size)
    with transaction.atomic():
        record = _record(tenant, catalog_version, filename, at=at, options=options)
        record.license_id = license_id
        record.public_id = public_id or record.public_id
        record.file, record.size, record.sha256 = stored.name, stored.size, stored.sha256
        record.save()
        return transitions.receive(record, actor=actor, at=at)


def announce_import(
    *,
    tenant: Tenant,
    catalog_version: CatalogVersion | None,
    filename: str,
    size: int,
    at: datetime,
    options: ImportOptions,
    license_id: str = "",
) -> ImportRecord:
    """Create an import whose ``size`` bytes come later. Raise AnnouncedTooLarge or EmptyFile."""
    if size > settings.MAX_FILE_BYTES:
        raise AnnouncedTooLarge("too_large.file", size=settings.MAX_FILE_BYTES)
    if size == 0:
        raise EmptyFile
    refuse_beyond(tenant, size=size)
    record = _record(tenant, catalog_version, filename, at=at, options=options)
    record.license_id = license_id
    record.size = size
    record.progress = Progress(RECEIVING, total=size, since=clock.iso(at))
    with transaction.atomic():
        record.save()
        about = {**record.log_members(), "bytes": size}
        kind = record._meta.verbose_name_raw
        tell(kind, record.public_id, before="", after=record.state, about=about)
    return record


def _record(
    tenant: Tenant,
    catalog_version: CatalogVersion | None,
    filename: str,
    *,
    at: datetime,
    options: ImportOptions,
) -> ImportRecord:
    return ImportRecord(
        public_id=new_id("rec_"),
        tenant=tenant,
        catalog_version=catalog_version,
        purpose=options.purpose,
        corrects=options.corrects,
        parsed=Parsed(choices=choices_kept(options.choices)),
        created_at=at,
        filename=plain_name(filename) or "file",
        meta=options.meta,
        context=options.context,
        overlay=options.overlay,
        auto_map=options.auto_map,
        keep_unmapped=options.keep_unmapped,
        scope=options.scope,
        from_page=options.from_page,
        session_id=options.session_id,
        started_by=options.started_by,
        token_sha256=options.token_sha256,
        contract_id=options.contract_id,
        contract=options.contract,
        tested_against=options.tested_against,
        origin=options.origin,
        state=State.RECEIVED,
    )

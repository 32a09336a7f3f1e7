"""``manage.py replay REC``: verify that an import's rows can be made again, byte for byte."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common import clock
from common.errors import ServiceError
from imports import services
from imports.models import ImportRecord
from imports.services import Replayed
from tabular.model.sentences import counted


class Command(BaseCommand):
    """Read and transform a stored file again, carry the edits over, and compare the rows."""

    help = "Make the rows of an import again and compare them with the stored ones; saves nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the imports."""
        parser.add_argument("records", nargs="+", metavar="REC", help="Id of an import, rec_....")
        parser.add_argument(
            "--store",
            type=Path,
            metavar="FOLDER",
            help="Write the imports to this folder instead, for make eval.",
        )
        parser.add_argument(
            "--json", action="store_true", help="Print one line of JSON per import."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Replay each import; exit with 1 if the rows of one differ now."""
        differing = []
        for record_id in options["records"]:
            record = _record(record_id)
            if options["store"]:
                self.stdout.write(str(_stored(record, options["store"])))
                continue
            replayed = _replayed(record)
            if not replayed.is_identical:
                differing.append(record_id)
            line = json.dumps(as_json(replayed)) if options["json"] else _summary(replayed)
            self.stdout.write(line)
        if differing:
            names = ", ".join(differing)
            raise CommandError(f"The rows of {names}, or what they are made with, differ.")


def as_json(replayed: Replayed) -> dict[str, Any]:
    """Return the result for a program."""
    return {
        "recordId": replayed.record_id,
        "identical": replayed.is_identical,
        "before": {"rows": replayed.before.count, "sha256": replayed.before.sha256},
        "after": {"rows": replayed.after.count, "sha256": replayed.after.sha256},
        "differingPins": {
            name: {"then": then, "now": now}
            for name, (then, now) in replayed.differing_pins.items()
        },
        "differingParts": list(replayed.differing_parts),
    }


def _record(record_id: str) -> ImportRecord:
    mine = ImportRecord.objects.filter(public_id=record_id, purpose=ImportRecord.Purpose.IMPORT)
    record = mine.select_related("catalog_version__catalog", "tenant").first()
    if record is None:
        raise CommandError(f"There is no import {record_id}.")
    return record


def _replayed(record: ImportRecord) -> Replayed:
    try:
        return services.replay(record=record, at=clock.now())
    except ServiceError as error:
        raise CommandError(f"{record}: {error.sentence}") from error


def _stored(record: ImportRecord, folder: Path) -> Path:
    try:
        return services.store(record=record, folder=folder)
    except ServiceError as error:
        raise CommandError(f"{record}: {error.sentence}") from error


def _summary(replayed: Replayed) -> str:
    pins = [
        f"{name} was {then!r} and is now {now!r}"
        for name, (then, now) in replayed.differing_pins.items()
    ]
    if replayed.differing_parts:
        pins.append(f"made with another {' and '.join(replayed.differing_parts)}")
    unchanged = "same engine versions" if replayed.pins_before else "engine versions unknown"
    message = "; ".join(pins) or unchanged
    if replayed.before == replayed.after:
        rows = counted(replayed.after.count, "row")
        return f"{replayed.record_id}: {rows}, identical ({message})"
    before, after = replayed.before.count, replayed.after.count
    rows = counted(before, "row")
    return f"{replayed.record_id}: {rows} then, {after:,} now, different ({message})"

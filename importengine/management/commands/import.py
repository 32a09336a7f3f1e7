"""``manage.py import FILE --catalog KEY``: the headless flow."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from changesets import services as changesets
from common import clock
from common.errors import ServiceError
from importengine import headless
from imports import services
from imports.models import ImportRecord
from licensing.models import Tenant
from workflow.worker import finish

State = ImportRecord.State


class Command(BaseCommand):
    """Import one file; needs no worker, and is safe while one runs."""

    help = "Import a file: read, map and transform it; deliver its rows with --apply."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("file", type=Path, help="The file to import.")
        parser.add_argument(
            "--catalog",
            metavar="KEY",
            help="Key of the catalog; required if several are published.",
        )
        parser.add_argument(
            "--tenant", metavar="TNT", help="Id of the tenant; required if there are several."
        )
        parser.add_argument(
            "--mapping", type=Path, help="JSON file that maps columns to field paths."
        )
        parser.add_argument(
            "--allow-missing",
            action="store_true",
            help="Accept a --mapping in which required fields have no column.",
        )
        parser.add_argument("--apply", action="store_true", help="Deliver the rows.")
        parser.add_argument(
            "--invalid-rows",
            choices=["block", "exclude", "include"],
            default="block",
            help="With rows that have errors: block the apply, exclude them, or include them.",
        )
        parser.add_argument(
            "--open-questions",
            choices=["block", "dismiss"],
            default="block",
            help="With open questions: block the apply, or dismiss them and use their defaults.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the import and print the result as JSON; exit with 1 if it stopped early."""
        try:
            record = self._run(options)
        except ServiceError as error:
            raise CommandError(f"{error.code}: {error.sentence}") from error
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps(headless.report(record), indent=2, ensure_ascii=False))
        wanted = State.APPLIED if options["apply"] else State.REVIEW
        if record.state != wanted:
            raise CommandError(f"The import stopped in {record.state}.")

    def _run(self, options: dict[str, Any]) -> ImportRecord:
        record = finish(
            headless.start(
                tenant=chosen_tenant(options["tenant"]),
                file=options["file"],
                catalog_key=options["catalog"],
                auto_map=options["mapping"] is None,
            )
        )
        if options["mapping"] is not None and record.state == State.MAPPING:
            services.confirm_mapping(
                record=record,
                mapping=json.loads(options["mapping"].read_bytes()),
                recipe=None,
                allow_missing=options["allow_missing"],
                actor=headless.OPERATOR,
                at=clock.now(),
            )
            record = finish(record)
        if options["apply"] and record.state == State.REVIEW:
            changesets.apply(
                record=record,
                apply_mode="webhook",
                invalid_rows=options["invalid_rows"],
                open_questions=options["open_questions"],
                actor=headless.OPERATOR,
                at=clock.now(),
            )
            record = finish(record)
        return record


def chosen_tenant(public_id: str | None) -> Tenant:
    """Return the named tenant, or the only one."""
    tenants = Tenant.objects.filter(
        **({"public_id": public_id} if public_id else {"test_of": None})
    )
    candidates = list(tenants[:2])
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        raise CommandError("There is no such tenant; minting a license creates one.")
    raise CommandError("There are several tenants; name one with --tenant.")

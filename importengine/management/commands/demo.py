"""``manage.py demo FILE``: the main job, headless, down to a verified delivery."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import close_old_connections

from changesets import services as changesets
from common import clock
from common.actors import ENGINE
from common.errors import ServiceError
from deliveries import services as deliveries
from deliveries.models import Delivery
from deliveries.tasks import dispatch_due
from importengine import headless
from importengine.demo.local_receiver import LocalReceiver
from imports.models import ImportRecord
from licensing.models import Tenant
from tabular.model.sentences import counted, sized
from workflow.worker import finish

SHOWN_ROWS = 5
SENDING_LIMIT_S = 60
LOOK_EVERY_S = 0.1
TENANT = "tnt_demo"


class Command(BaseCommand):
    """Import one file and deliver it to a receiver of this command."""

    help = "Import a file and print its mapping, questions, rows and verified delivery."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("file", type=Path, help="The file to import.")
        parser.add_argument(
            "--catalog",
            metavar="KEY",
            help="Key of the catalog; required if several are published.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the import and print what happened; an error is a sentence."""
        try:
            self._run(options["file"], options["catalog"])
        except ServiceError as error:
            raise CommandError(f"{error.code}: {error.sentence}") from error
        except OSError as error:
            raise CommandError(str(error)) from error

    def _run(self, file: Path, catalog_key: str | None) -> None:
        tenant = Tenant.objects.get(public_id=TENANT)
        record = finish(
            headless.start(tenant=tenant, file=file, catalog_key=catalog_key, auto_map=True)
        )
        self._show(record)
        if record.state != ImportRecord.State.REVIEW:
            raise CommandError(f"The import stopped in the state {record.state}.")
        with LocalReceiver() as receiver, _registered(tenant, receiver.url) as (own, secret):
            receiver.secret = secret
            changesets.apply(
                record=record,
                apply_mode="webhook",
                invalid_rows="exclude",
                open_questions="dismiss",
                actor=headless.OPERATOR,
                at=clock.now(),
            )
            record = finish(record)
            self._show_delivery(record, _sent_delivery(record, own), receiver)

    def _show(self, record: ImportRecord) -> None:
        report = headless.report(record)
        self.stdout.write(f"File       {record.filename} ({sized(record.size)})")
        self.stdout.write(f"Import     {record.public_id}: {record.state}")
        if record.problem:
            self.stdout.write(f"Problem    {record.problem['code']}: {record.problem['detail']}")
        self.stdout.write("Mapping")
        for column, field in report["mapping"].items():
            self.stdout.write(f"  {column} -> {field}")
        self.stdout.write(f"Questions  {len(report['questions'])}")
        for question in report["questions"]:
            about = question["field"] or ", ".join(question["columns"])
            self.stdout.write(f"  {question['kind']}: {about}; default {question['default']!r}")
        self.stdout.write(f"Rows       {json.dumps(record.counts, ensure_ascii=False)}")

    def _show_delivery(self, record: ImportRecord, sent: Delivery, receiver: LocalReceiver) -> None:
        self.stdout.write(
            f"Delivery   {sent.public_id}: {sent.state}, {counted(sent.attempts, 'attempt')}"
        )
        for arrived in receiver.arrived:
            verified = "verified" if arrived.verified else "NOT VERIFIED"
            self.stdout.write(
                f"Received   {counted(arrived.body['rowCount'], 'row')}, signature {verified}"
            )
            for row in arrived.body["rows"][:SHOWN_ROWS]:
                self.stdout.write(f"  {json.dumps(row, ensure_ascii=False)}")
        if not any(arrived.verified for arrived in receiver.arrived):
            raise CommandError("No verified delivery arrived.")


def _sent_delivery(record: ImportRecord, registration: str) -> Delivery:
    """Send the delivery; if the worker of a running engine sends it, wait until it has."""
    deadline = time.monotonic() + SENDING_LIMIT_S
    while True:
        dispatch_due()
        sent = Delivery.objects.get(
            record_id=record.public_id, registration__public_id=registration
        )
        is_unsent = sent.state == Delivery.State.PENDING and not sent.attempts
        is_at_work = is_unsent or sent.state == Delivery.State.SENDING
        if not is_at_work or time.monotonic() > deadline:
            return sent
        time.sleep(LOOK_EVERY_S)


@contextmanager
def _registered(tenant: Tenant, url: str) -> Iterator[tuple[str, str]]:
    registered = deliveries.register(tenant=tenant, url=url, at=clock.now())
    try:
        yield registered.registration.public_id, registered.secret
    finally:
        close_old_connections()
        deliveries.delete_registration(
            registration=registered.registration, actor=ENGINE, at=clock.now()
        )

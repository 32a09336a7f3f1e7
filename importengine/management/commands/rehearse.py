"""``manage.py rehearse URL``: send a receiver what production will send it sooner or later."""

import json
import os
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from urllib3.exceptions import LocationParseError

from catalogs import selectors as catalogs
from common import clock
from common.errors import ServiceError
from deliveries import selectors as deliveries
from deliveries.http.targets import read_target
from deliveries.rehearsal import Receiver, Report, Rows, rehearse
from deliveries.services.attempt import new_client, secrets_of
from licensing.models import Tenant
from tabular.model.sentences import counted
from workflow.rehearsals import rows_of

SECRET = "IMPORT_REHEARSAL_SECRET"  # noqa: S105 - the name of a variable


class Command(BaseCommand):
    """Play one scene after the other, and say what the receiver did and should do."""

    help = (
        "Send a receiver what production will send it sooner or later, and say what it should do."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the address and the catalog."""
        parser.add_argument("url", metavar="URL", help="Address of the receiver.")
        parser.add_argument("--catalog", required=True, metavar="KEY", help="Key of the catalog.")
        parser.add_argument(
            "--tenant", required=True, metavar="TNT", help="Id of the tenant, tnt_...."
        )
        parser.add_argument(
            "--unmarked",
            action="store_true",
            help="Leave out test: true, for a receiver that stores no marked deliveries.",
        )
        parser.add_argument("--json", action="store_true", help="Print a line of JSON per scene.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print each scene; exit with 1 if the receiver should do something else."""
        tenant = Tenant.objects.filter(public_id=options["tenant"]).first()
        if tenant is None:
            raise CommandError(f"There is no tenant {options['tenant']!r}.")
        receiver = Receiver(
            client=new_client(),
            url=options["url"],
            secrets=_secrets(tenant, options["url"], os.environ),
            tenant_id=tenant.host_id,
            rows=_rows(tenant, options["catalog"]),
            is_marked=not options["unmarked"],
        )
        played = wrong = 0
        for report in rehearse(receiver):
            played += 1
            wrong += not report.is_right
            self.stdout.write(_line(report) if options["json"] else _shown(report))
        if wrong:
            raise CommandError(
                f"The receiver should do something else in {wrong} of {counted(played, 'scene')}."
            )


def _secrets(tenant: Tenant, url: str, environment: Mapping[str, str]) -> list[str]:
    try:
        key = read_target(url).key
    except LocationParseError as error:
        raise CommandError("This is not a URL.") from error
    registration = deliveries.registrations_of(tenant).filter(url_key=key).first()
    if registration is not None:
        return secrets_of(registration, at=clock.now())
    if given := environment.get(SECRET):
        return [given]
    raise CommandError(
        f"This URL is not registered. Register it, or set {SECRET} to the secret that signs."
    )


def _rows(tenant: Tenant, key: str) -> Rows:
    try:
        return rows_of(catalogs.published(tenant, key))
    except ServiceError as error:
        raise CommandError(error.sentence) from error


def _shown(report: Report) -> str:
    lines = [f"{'ok' if report.is_right else '! '} {report.title}", f"   did     {report.did}"]
    if not report.is_right:
        lines += [f"   should  {report.should}", f"   change  {report.advice}"]
    return "\n".join(lines)


def _line(report: Report) -> str:
    about = {"title": report.title, "did": report.did, "should": report.should}
    return json.dumps({**about, "right": report.is_right, "advice": report.advice})

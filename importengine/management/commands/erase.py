"""``manage.py erase TENANT``: delete all data of a customer."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common import clock
from common.actors import Actor
from importengine.erasure import erase_scope, erase_tenant
from licensing.models import Tenant
from tabular.model.sentences import counted

OPERATOR = Actor(kind="person", id="operator", label="manage.py erase")


class Command(BaseCommand):
    """Delete all data of a tenant, or of one of its scopes; this cannot be undone."""

    help = "Permanently delete the data of a tenant or of one scope, and record the deletion."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the tenant, the scope and the confirmation."""
        parser.add_argument("tenant", help="Id of the tenant, tnt_....")
        parser.add_argument(
            "--scope", help="Delete only the data of this scope: one customer of the host."
        )
        parser.add_argument(
            "--yes", action="store_true", help="Delete. Without it, the command only counts."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Count, or delete and print what was deleted."""
        tenant = Tenant.objects.filter(public_id=options["tenant"]).first()
        if tenant is None:
            raise CommandError(f"There is no tenant {options['tenant']}.")
        scope = options["scope"]
        if not options["yes"]:
            records = tenant.imports.all() if scope is None else tenant.imports.filter(scope=scope)
            self.stdout.write(
                f"{counted(records.count(), 'import')} would be deleted. Add --yes to do it."
            )
            return
        if scope is None:
            made = erase_tenant(tenant=tenant, actor=OPERATOR, at=clock.now())
        else:
            made = erase_scope(tenant=tenant, scope=scope, actor=OPERATOR, at=clock.now())
        for name, count in sorted(made.counts.items()):
            self.stdout.write(f"{count:8} {name}")

"""Export contracts and rotate their keys from the command line."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogs import selectors as catalogs
from common import clock
from common.actors import Actor
from common.errors import ServiceError
from contracts import selectors, services
from contracts.bundle import moment
from contracts.canonical import canonical
from contracts.services import ExportOptions
from imports.selectors import profile_of
from licensing.models import Tenant
from tabular.model.i_json import MAX_SAFE_INTEGER

OPERATOR = Actor(kind="person", id="operator", label="manage.py contract")


class Command(BaseCommand):
    """``manage.py contract export|list|show|keys|rotate-key|revoke-key``."""

    help = "Sign portable contracts of a tenant, list them, and manage the keys that sign them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the subcommands."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        export = verbs.add_parser("export", help="Sign a contract and print its bundle.")
        export.add_argument(
            "--catalog", help="Key of the catalog. Default: the only published one."
        )
        export.add_argument(
            "--number", type=int, help="Use this version instead of the published one."
        )
        export.add_argument(
            "--profile", metavar="PRF", help="Remembered mapping to include, prf_...."
        )
        export.add_argument("--title", help="Title of the contract. Default: the catalog's.")
        export.add_argument(
            "--required-column", action="append", help="A column that files must have; repeat."
        )
        export.add_argument("--max-rows", type=int, help="Most rows of a file.")
        export.add_argument(
            "--encoding", action="append", help="An encoding that files may have; repeat."
        )
        export.add_argument(
            "--expires", metavar="WHEN", help="When it expires: 2027-01-31, or a timestamp."
        )
        export.add_argument(
            "--allow-values", action="store_true", help="Let the recipe contain texts from cells."
        )
        export.add_argument("--out", type=Path, help="Write to this file instead of printing.")
        listed = verbs.add_parser("list", help="List the contracts, one per line.")
        show = verbs.add_parser("show", help="Print the bundle of a contract, byte for byte.")
        show.add_argument("contract", help="Id of the contract, sha256:....")
        keys = verbs.add_parser("keys", help="Print the public keys as a JWKS.")
        rotate = verbs.add_parser(
            "rotate-key", help="Sign with a new key. Earlier signatures stay valid."
        )
        revoke = verbs.add_parser(
            "revoke-key", help="Revoke a key: its contracts are no longer accepted."
        )
        revoke.add_argument("kid", help="Id of the key; put -- before one that begins with a dash.")
        for verb in (export, listed, show, keys, rotate, revoke):
            verb.add_argument(
                "--tenant", required=True, metavar="TNT", help="Id of the tenant, tnt_...."
            )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the subcommand. A refusal prints a message to stderr; the exit status is non-zero."""
        tenant = Tenant.objects.filter(public_id=options["tenant"]).first()
        if tenant is None:
            raise CommandError(
                f"There is no tenant {options['tenant']!r}; minting a license creates one."
            )
        try:
            self._carry_out(tenant, options)
        except ServiceError as error:
            raise CommandError(error.sentence) from error

    def _carry_out(self, tenant: Tenant, options: dict[str, Any]) -> None:
        match options["verb"]:
            case "export":
                self._export(tenant, options)
            case "list":
                for issued in selectors.contracts_of(tenant):
                    until = issued.expires_at.isoformat() if issued.expires_at else "never expires"
                    self.stdout.write(f"{issued.contract_id}\t{until}\t{issued.title}")
            case "show":
                self.stdout.write(selectors.contract_of(tenant, options["contract"]).bundle)
            case "keys":
                self.stdout.write(canonical(selectors.key_set(tenant.public_id)).decode())
            case "rotate-key":
                made = services.rotate_key(tenant=tenant, actor=OPERATOR, at=clock.now())
                self.stdout.write(made.kid)
            case "revoke-key":
                key = selectors.key_of(tenant, options["kid"])
                services.revoke_key(key=key, actor=OPERATOR, at=clock.now())
                self.stdout.write(f"Contracts signed with {key.kid} are no longer accepted.")

    def _export(self, tenant: Tenant, options: dict[str, Any]) -> None:
        key, number = options["catalog"], options["number"]
        profile = profile_of(tenant, options["profile"]) if options["profile"] else None
        if key is None and profile is not None:
            key = profile.catalog_key
        version = catalogs.choose(tenant, key).version
        if number is not None:
            version = catalogs.version(tenant, version.catalog.key, number)
        issued = services.export(
            tenant=tenant,
            version=version,
            profile=profile,
            options=_export_options(options),
            actor=OPERATOR,
            at=clock.now(),
        )
        if options["out"]:
            options["out"].write_text(issued.bundle, "utf-8")
            self.stdout.write(issued.contract_id)
        else:
            self.stdout.write(issued.bundle)


def _export_options(options: dict[str, Any]) -> ExportOptions:
    if options["max_rows"] is not None and not 0 < options["max_rows"] <= MAX_SAFE_INTEGER:
        raise CommandError("--max-rows is at least 1.")
    return ExportOptions(
        title=options["title"],
        required_columns=options["required_column"],
        max_rows=options["max_rows"],
        encodings=options["encoding"],
        expires_at=_moment(options["expires"]),
        allow_values=options["allow_values"],
    )


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        at = moment(text if "T" in text.upper() else f"{text}T00:00:00Z")
    except ValueError as error:
        raise CommandError(f"--expires: {text!r} is not a timestamp with a time zone.") from error
    if at <= datetime.now(UTC):
        raise CommandError("--expires is in the past.")
    return at

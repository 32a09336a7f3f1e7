"""Publish, list, show, type and retire catalogs from the command line."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogs import documents, selectors, services
from catalogs.errors import CatalogInvalid, DraftChanged
from catalogs.models import CatalogVersion
from catalogs.row_types import LANGS, row_type
from common import clock
from common.actors import Actor
from common.errors import ServiceError
from licensing.models import Tenant
from tabular.model.catalog_findings import Finding
from tabular.model.i_json import lines_of

OPERATOR = Actor(kind="person", id="operator", label="manage.py catalog")


class Command(BaseCommand):
    """``manage.py catalog publish|list|show|types|retire``."""

    help = "Publish, list, show and retire the catalogs of a tenant, and print their row types."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the subcommands."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        publish = verbs.add_parser("publish", help="Publish a catalog file as a new version.")
        publish.add_argument("file", help="The catalog as JSON; - reads standard input.")
        publish.add_argument("--key", help="Key of the catalog. Default: the one in the file.")
        publish.add_argument(
            "--note", default="", help="What changed; shown in the list of versions."
        )
        publish.add_argument(
            "--replace-draft", action="store_true", help="Overwrite an existing draft."
        )
        publish.add_argument(
            "--confirm",
            action="append",
            default=[],
            metavar="NAME",
            help='Publish even if this test file fails or did not run; "tests": all of them.',
        )
        shown = verbs.add_parser("list", help="List the catalogs, one per line.")
        show = verbs.add_parser("show", help="Print a published catalog as JSON.")
        show.add_argument("key", help="Key of the catalog.")
        show.add_argument(
            "--number", type=int, help="Print this version instead, published or not."
        )
        types = verbs.add_parser("types", help="Print the type of a delivered row.")
        types.add_argument("key", help="Key of the catalog.")
        types.add_argument("--lang", required=True, choices=LANGS, help="What to print.")
        types.add_argument(
            "--number", type=int, help="The type for this version instead, published or not."
        )
        types.add_argument(
            "--invalid-rows",
            choices=["block", "exclude", "include"],
            default="block",
            help="include: rows with errors are delivered, too, so any value may be null.",
        )
        retire = verbs.add_parser(
            "retire", help="Retire a catalog: no new imports; open ones finish."
        )
        retire.add_argument("key", help="Key of the catalog.")
        retire.add_argument("--note", default="", help="The reason; kept in the history.")
        for verb in (publish, shown, show, types, retire):
            verb.add_argument(
                "--tenant", required=True, metavar="TNT", help="Id of the tenant, tnt_...."
            )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the subcommand; an error is a sentence on stderr and a non-zero exit status."""
        tenant = Tenant.objects.filter(public_id=options["tenant"]).first()
        if tenant is None:
            raise CommandError(
                f"There is no tenant {options['tenant']!r}; minting a license creates one."
            )
        try:
            match options["verb"]:
                case "publish":
                    self._publish(tenant, options)
                case "list":
                    self._list(tenant)
                case "show":
                    self._show(tenant, options["key"], options["number"])
                case "types":
                    self._types(tenant, options)
                case "retire":
                    self._retire(tenant, options["key"], options["note"])
        except ServiceError as error:
            raise CommandError(error.sentence) from error

    def _publish(self, tenant: Tenant, options: dict[str, Any]) -> None:
        text = _read(options["file"])
        key = options["key"] or documents.key_in(text)
        if not key:
            raise CommandError("The file has no key; pass one with --key.")
        try:
            version = services.publish_document(
                tenant=tenant,
                key=key,
                text=text,
                at=clock.now(),
                actor=OPERATOR,
                expected=services.ANY if options["replace_draft"] else services.NONE,
                note=options["note"],
                confirm=frozenset({services.BREAKING, *options["confirm"]}),
            )
        except CatalogInvalid as error:
            refused = ["The catalog is not published:", *_placed(error.findings, text)]
            raise CommandError("\n".join(refused)) from error
        except DraftChanged as error:
            raise CommandError(
                f"{key} has a different draft; pass --replace-draft to overwrite it."
            ) from error
        self.stdout.write(f"{key} version {version.number} is published.")
        if vain := selectors.findings(version):
            self.stdout.write("\n".join(["Settings without effect:", *_placed(vain, text)]))

    def _list(self, tenant: Tenant) -> None:
        for catalog in selectors.catalogs(tenant):
            states = {version.state: version.number for version in catalog.versions.all()}
            published = states.get(CatalogVersion.State.PUBLISHED)
            draft = states.get(CatalogVersion.State.DRAFT)
            self.stdout.write(f"{catalog.key}\tpublished {published or '-'}\tdraft {draft or '-'}")

    def _retire(self, tenant: Tenant, key: str, note: str) -> None:
        version = services.retire(tenant=tenant, key=key, at=clock.now(), actor=OPERATOR, note=note)
        self.stdout.write(f"{key} version {version.number} is retired; no new import uses it.")

    def _show(self, tenant: Tenant, key: str, number: int | None) -> None:
        version = selectors.published_or(tenant, key, number)
        self.stdout.write(json.dumps(json.loads(version.document), indent=2, ensure_ascii=False))

    def _types(self, tenant: Tenant, options: dict[str, Any]) -> None:
        version = selectors.published_or(tenant, options["key"], options["number"])
        written = row_type(
            selectors.usable(version).as_catalog(),
            options["lang"],
            number=version.number,
            with_errors=options["invalid_rows"] == "include",
        )
        self.stdout.write(written.text, ending="")


def _read(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}.") from error


def _placed(findings: Sequence[Finding], text: bytes) -> list[str]:
    pointers = [finding.pointer for finding in findings]
    lines = lines_of(text.decode("utf-8", "replace"), pointers) if any(pointers) else {}
    places = [f"line {lines[p]}, {p}: " if p else "" for p in pointers]
    return [f"  {place}{f.sentence}" for place, f in zip(places, findings, strict=True)]

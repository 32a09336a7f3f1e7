"""``python manage.py license keygen|mint|revoke|list``. Spec: License key; docs/licensing.md."""

import json
from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q

from common import clock
from common.actors import Actor
from licensing import services
from licensing.models import License
from licensing.refusals import LicenseMalformed, LicenseRejected
from licensing.tokens import key_options, keyfiles, keys
from licensing.tokens.keys import Claims
from signatures import keysets

OPERATOR = Actor(kind="person", id="operator", label="manage.py license")


class Command(BaseCommand):
    """Mint license keys, and revoke them."""

    help = "Create a key pair, and mint, revoke and list license keys."
    requires_system_checks = ()  # a failing check asks for keygen

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the four subcommands."""
        shared = ArgumentParser(add_help=False)
        shared.add_argument("--json", action="store_true", help="Print JSON for scripts.")
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        keygen = actions.add_parser("keygen", parents=[shared], help="Create a key pair.")
        keygen.add_argument(
            "--directory", type=Path, help="Where to write it. Default: keys/ in the data folder."
        )
        _describe_mint(actions.add_parser("mint", parents=[shared], help="Mint a license key."))
        revoke = actions.add_parser(
            "revoke", parents=[shared], help="Revoke a license; its key is no longer accepted."
        )
        revoke.add_argument("license", help="Id of the license (lic_...), or the key itself.")
        revoke.add_argument(
            "--reason", required=True, help="The reason; kept and shown in the admin."
        )
        listing = actions.add_parser("list", parents=[shared], help="List known licenses.")
        listing.add_argument("--tenant", default="", help="List only the licenses of this tenant.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run one subcommand."""
        actions = {
            "keygen": self.keygen,
            "mint": self.mint,
            "revoke": self.revoke,
            "list": self.list_licenses,
        }
        actions[options["action"]](options)

    def keygen(self, options: dict[str, Any]) -> None:
        """Write a key pair; refuse to overwrite an existing one."""
        try:
            pair = keyfiles.write_key_pair(options["directory"] or key_options.key_folder())
        except OSError as error:
            raise CommandError(f"The key pair cannot be written: {error}") from error
        written = {"privateKey": str(pair.private_key), "publicKey": str(pair.public_key)}
        self._print(
            options,
            written | {"kid": pair.kid},
            f"Private key, for minting only: {pair.private_key}\n"
            f"Public key, for engines: IMPORT_LICENSE_PUBLIC_KEY_FILE={pair.public_key}",
        )

    def mint(self, options: dict[str, Any]) -> None:
        """Mint a key, record its license, and show the key this one time."""
        claims = _claims_of(options, at=clock.now())
        private_path = options["private_key"] or key_options.key_folder() / keyfiles.PRIVATE_NAME
        try:
            private_key = keyfiles.read_private_key(private_path)
            issued = services.issue_license(
                private_key=private_key,
                claims=claims,
                tenant_label=options["label"],
                actor=OPERATOR,
            )
        except ValueError as error:
            raise CommandError(f"{error}.") from error
        if settings.LICENSE_PUBLIC_KEY and not _is_accepted(issued.key):
            self.stderr.write("Note: this engine's own public key does not accept the new key.")
        tenant = issued.license.tenant
        if options["label"] not in {"", tenant.label}:
            self.stderr.write(
                f"Note: {tenant.public_id} keeps the name {tenant.label!r}; rename it in the admin."
            )
        self._print(options, {"key": issued.key} | _described(issued.license), issued.key)

    def revoke(self, options: dict[str, Any]) -> None:
        """Revoke by id, or by the key if this engine never saw it."""
        license = _named_license(options["license"], at=clock.now())
        done = services.revoke_license(
            license=license, reason=options["reason"], at=clock.now(), actor=OPERATOR
        )
        outcome = "revoked" if done else "already revoked"
        self._print(options, _described(license), f"{license.public_id} {outcome}.")

    def list_licenses(self, options: dict[str, Any]) -> None:
        """List the known licenses, newest first; keys themselves are never stored."""
        known = License.objects.select_related("tenant").order_by("-issued_at", "-pk")
        if options["tenant"]:
            mine = Q(tenant__public_id=options["tenant"])
            known = known.filter(mine | Q(tenant__test_of__public_id=options["tenant"]))
        described = [_described(license) for license in known]
        self._print(options, described, "\n".join(map(_line, described)) or "No licenses.")

    def _print(self, options: dict[str, Any], value: Any, text: str) -> None:
        self.stdout.write(json.dumps(value) if options["json"] else text)


def _describe_mint(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--tenant", default="", help="Id of the tenant, tnt_.... Default: a new tenant."
    )
    parser.add_argument("--label", default="", help="Name of a new tenant.")
    parser.add_argument("--key-label", default="", help="Name of the key, for example its program.")
    parser.add_argument("--plan", default="", help="Plan of the license, for example enterprise.")
    parser.add_argument(
        "--entitlement",
        action="append",
        default=[],
        choices=keys.ENTITLEMENTS,
        help="An extra right; repeat. agentAccess needs --plan enterprise.",
    )
    parser.add_argument(
        "--origin",
        action="append",
        help="Origin of a page (https://host) that may use the key; repeat. Default: any page.",
    )
    parser.add_argument(
        "--widget",
        action="store_true",
        help="Mint a key for pages: needs --origin, has no entitlement, and reaches only the "
        "imports it creates.",
    )
    parser.add_argument(
        "--test",
        action="store_true",
        help="Mint a test key: what it makes is apart from live data, and deleted after 7 days.",
    )
    parser.add_argument(
        "--days", type=int, default=365, help="Days until it expires. Default: 365."
    )
    parser.add_argument(
        "--private-key",
        type=Path,
        help="Private key that signs. Default: the one that keygen wrote.",
    )


def _claims_of(options: dict[str, Any], *, at: datetime) -> Claims:
    wish = key_options.Wish(
        tenant=options["tenant"],
        plan=options["plan"],
        entitlements=frozenset(options["entitlement"]),
        origins=None if options["origin"] is None else frozenset(options["origin"]),
        for_pages=options["widget"],
        days=options["days"],
        label=options["key_label"],
        is_test=options["test"],
    )
    try:
        return key_options.claims_for(wish, at=at)
    except key_options.WrongWish as error:
        raise CommandError(f"--{error.of} {error.sentence}") from error


def _is_accepted(key: str) -> bool:
    try:
        keys.verify(key, keysets.read_public_keys(settings.LICENSE_PUBLIC_KEY))
    except (LicenseRejected, keysets.UnusableKeySet):
        return False
    return True


def _named_license(id_or_key: str, *, at: datetime) -> License:
    known = License.objects.select_related("tenant").filter(public_id=id_or_key).first()
    if known is not None:
        return known
    try:
        public_keys = keysets.read_public_keys(settings.LICENSE_PUBLIC_KEY)
        claims = keys.verify(id_or_key, public_keys)
    except (LicenseMalformed, LicenseRejected, keysets.UnusableKeySet) as error:
        raise CommandError("No license has this id. Pass the key instead.") from error
    return services.record_license(claims=claims, at=at)


def _described(license: License) -> dict[str, Any]:
    return {
        "licenseId": license.public_id,
        "label": license.label,
        "tenantId": license.tenant.host_id,
        "test": license.tenant.is_test,
        "plan": license.plan,
        "entitlements": license.entitlements,
        "origins": license.origins,
        "expiresAt": clock.iso(license.expires_at),
        "revokedAt": clock.iso(license.revoked_at) if license.revoked_at else None,
        "revokedReason": license.revoked_reason,
    }


def _line(described: dict[str, Any]) -> str:
    state = f"revoked ({described['revokedReason']})" if described["revokedAt"] else "valid"
    entitlements = ",".join(described["entitlements"]) or "-"
    named = f"{described['licenseId']}  {described['tenantId']}  {described['plan'] or '-'}"
    ending = "  test" if described["test"] else ""
    ending += f"  {described['label']}" if described["label"] else ""
    return f"{named}  {entitlements}  until {described['expiresAt'][:10]}  {state}{ending}"

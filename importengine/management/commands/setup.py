"""``manage.py setup``: a development engine ready to try, and the URLs to open."""

import os
import secrets
from argparse import ArgumentParser
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand

from api import samples
from catalogs import selectors as catalog_selectors
from catalogs import services as catalogs
from common import clock
from common.actors import ENGINE
from common.models import Move
from deliveries import selectors as delivery_selectors
from deliveries import services as deliveries
from importengine.processes import programs
from imports.services.upload import ImportOptions, create_import, receive_file
from licensing import services as licensing
from licensing.models import Membership, Tenant
from licensing.people.passwords import note_setup
from licensing.tokens import keyfiles

TENANT = "tnt_demo"
RECEIVER = "Demo receiver"  # the name that people see
ADMIN = "admin"
LIFETIME = timedelta(days=365)


class Command(BaseCommand):
    """Create the demo tenant, its license, catalogs and webhook, and an admin user; once each."""

    help = "Prepare a development engine: demo tenant, license, catalogs, webhook, admin user."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the port the engine will listen on, and whether to create sample imports."""
        parser.add_argument("--port", type=int, default=8000, help="Port of the engine.")
        parser.add_argument(
            "--samples",
            action="store_true",
            help="Also create the imports that the API examples name.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Create what is missing and print where to look."""
        if not settings.REDIS_URL:
            programs.make_broker_folders()
        base = f"http://127.0.0.1:{options['port']}{settings.PATH_PREFIX}"
        license_key = self._license()
        tenant = Tenant.objects.get(public_id=TENANT)
        files = sorted((settings.BASE_DIR / "examples" / "catalogs").glob("*.json"))
        for file in files:
            self._catalog(tenant, file)
        self._webhook(tenant, f"{base}/demo/receiver", [file.stem for file in files])
        if options["samples"]:
            _import_samples(tenant)
        password = self._admin(tenant)
        self.stdout.write(
            f"\n  Demo page    {base}/demo/"
            f"\n  Admin        {base}/admin/              login {ADMIN} / {password}"
            f"\n  Catalogs     {base}/admin/catalogs"
            f"\n  API          {base}/api/docs"
            f"\n  License key  {license_key}\n"
        )

    def _license(self) -> str:
        kept = _keys() / "demo-license"
        if kept.exists() and Tenant.objects.filter(public_id=TENANT).exists():
            return kept.read_text("utf-8")
        return _mint(kept)

    def _catalog(self, tenant: Tenant, file: Path) -> None:
        """Publish an example once; later edits of it are kept."""
        if not catalog_selectors.catalogs(tenant).filter(key=file.stem).exists():
            catalogs.publish_document(
                tenant=tenant, key=file.stem, text=file.read_bytes(), at=clock.now(), actor=ENGINE
            )

    def _webhook(self, tenant: Tenant, url: str, keys: list[str]) -> None:
        """Register the demo receiver for the examples only; other catalogs have other receivers."""
        kept = Path(settings.DATA_DIR) / "demo" / "signing-secret"
        ours = delivery_selectors.registrations_of(tenant).filter(label=RECEIVER)
        if kept.exists() and [(item.url, item.catalog_keys) for item in ours] == [(url, keys)]:
            return
        for former in ours:
            deliveries.delete_registration(registration=former, actor=ENGINE, at=clock.now())
        registered = deliveries.register(
            tenant=tenant, url=url, label=RECEIVER, catalog_keys=keys, at=clock.now()
        )
        _keep_secret(kept, registered.secret)

    def _admin(self, tenant: Tenant) -> str:
        """Create the admin user once; a password chosen by a person is kept."""
        kept = _keys() / "admin-password"
        user = get_user_model()._default_manager.filter(username=ADMIN).first()
        if user is None:
            user = get_user_model()(username=ADMIN, is_staff=True, is_superuser=True)
            _keep_secret(kept, secrets.token_urlsafe(9))
            user.set_password(kept.read_text("utf-8"))
            user.save()
        Membership.objects.get_or_create(user=user, tenant=tenant)
        made = kept.read_text("utf-8") if kept.exists() else ""
        if not (made and user.check_password(made)):
            return "(the password you chose)"
        note_setup(user)
        return made


def _import_samples(tenant: Tenant) -> None:
    """Import each sample once; deleted ones are not created again, and history is kept."""
    version = catalog_selectors.choose(tenant, samples.CATALOG).version
    lived = Move.objects.filter(subject__in=samples.SAMPLES).values_list("subject", flat=True)
    for public_id in sorted(set(samples.SAMPLES) - set(lived)):
        create_import(
            tenant=tenant,
            catalog_version=version,
            filename=samples.FILENAME,
            stored=receive_file([samples.TEXT.encode()]),
            actor=ENGINE,
            at=clock.now(),
            options=ImportOptions(auto_map=True),
            public_id=public_id,
        )


def _keys() -> Path:
    return Path(settings.DATA_DIR) / "keys"


def _mint(kept: Path) -> str:
    claims = licensing.new_claims(tenant_id=TENANT, at=clock.now(), lifetime=LIFETIME, label="Demo")
    issued = licensing.issue_license(
        private_key=keyfiles.read_private_key(_keys() / keyfiles.PRIVATE_NAME),
        claims=claims,
        tenant_label="Demo",
    )
    _keep_secret(kept, issued.key)
    return issued.key


def _keep_secret(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)

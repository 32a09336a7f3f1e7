"""``manage.py keys``: create the keys an engine needs to start."""

import os
import secrets
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from licensing.tokens import keyfiles

SECRETS = {"IMPORT_SECRET_KEY": "secret-key", "IMPORT_ENCRYPTION_KEYS": "encryption-keys"}


class Command(BaseCommand):
    """Create the missing keys, once; existing ones are kept."""

    help = "Create missing keys: secret key, encryption key, license key pair. Keeps existing ones."
    requires_system_checks = ()  # the checks would fail for what is created here

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the folder of the keys."""
        parser.add_argument(
            "--directory", type=Path, help="Where to write them. Default: keys/ in the data folder."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the files, readable by their owner only, and print the variables to set."""
        folder = (options["directory"] or Path(settings.DATA_DIR) / "keys").absolute()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for variable, name in SECRETS.items():
                _keep_secret(folder / name)
                self.stdout.write(f"export {variable}_FILE={folder / name}")
            if not (folder / keyfiles.PUBLIC_NAME).exists():
                keyfiles.write_key_pair(folder)
        except OSError as error:
            raise CommandError(f"The keys cannot be written: {error}") from error
        public = folder / keyfiles.PUBLIC_NAME
        self.stdout.write(f"export IMPORT_LICENSE_PUBLIC_KEY_FILE={public}")
        if (private := folder / keyfiles.PRIVATE_NAME).exists():
            self.stderr.write(f"{private} mints license keys: keep it away from this engine.")


def _keep_secret(path: Path) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(secrets.token_urlsafe(48))

"""``manage.py storage``: copy files between folder and bucket, and check what is stored."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from common import storage
from common.errors import ServiceError
from tabular.model.sentences import counted
from workflow.retention import named_files

MOST_LISTED = 20


class Command(BaseCommand):
    """Copy stored files, or compare them with the database."""

    help = "Copy stored files between this machine's folder and the bucket, or check them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the two actions."""
        actions = parser.add_subparsers(dest="action", required=True)
        move = actions.add_parser("move", help="Copy all files to where IMPORT_S3_URL points.")
        move.add_argument(
            "--back", action="store_true", help="Copy from the bucket to this machine's folder."
        )
        check = actions.add_parser("check", help="Compare stored files with those that rows name.")
        check.add_argument(
            "--read", action="store_true", help="Read each file of the bucket, and compare digests."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it; exit with 1 if a file is missing or damaged."""
        try:
            if options["action"] == "move":
                self._move(is_back=options["back"])
            else:
                self._check(is_reading=options["read"])
        except ServiceError as error:
            raise CommandError(str(error)) from error

    def _move(self, *, is_back: bool) -> None:
        if not settings.S3_URL:
            raise CommandError("IMPORT_S3_URL names no bucket.")
        copied = there = 0
        for _, is_copied in storage.to_folder() if is_back else storage.to_bucket():
            copied += is_copied
            there += not is_copied
        self.stdout.write(f"{counted(copied, 'file')} copied, {there:,} already there.")

    def _check(self, *, is_reading: bool) -> None:
        # Rows first: a file is stored before a row names it, so none of them looks missing.
        named = named_files() - {""}
        stored = set(storage.stored_names())
        missing = sorted(named - stored)
        damaged = list(storage.damaged()) if is_reading and settings.S3_URL else []
        self.stdout.write(f"{counted(len(stored), 'stored name')}, {len(named):,} of them in rows.")
        self.stdout.write(f"{len(stored - named):,} in no row: removed when they are a day old.")
        for what, names in (("missing", missing), ("damaged", damaged)):
            for name in names[:MOST_LISTED]:
                self.stdout.write(f"  ! {what}: {name}")
            if len(names) > MOST_LISTED:
                self.stdout.write(f"  ! and {len(names) - MOST_LISTED:,} more {what}")
        if missing or damaged:
            sys.exit(1)

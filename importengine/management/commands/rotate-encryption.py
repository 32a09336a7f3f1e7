"""``manage.py rotate-encryption``: encrypt every secret again with the first encryption key."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.secrets import SecretUnreadable, reseal
from importengine.people import factors
from importengine.processes.encryption import sealed_fields


class Command(BaseCommand):
    """Encrypt all stored secrets again, so that an old key can be removed."""

    help = (
        "Encrypt every stored secret with the first of IMPORT_ENCRYPTION_KEYS, so that the others "
        "can be removed. Safe while the engine runs, and to run again."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Go through every model with sealed fields. Raise CommandError with unreadable secrets."""
        written = 0
        unreadable: list[str] = []
        for model, names in sealed_fields():
            for row in model._default_manager.values_list("pk", flat=True).iterator():
                try:
                    written += reseal(model, row, names)
                except SecretUnreadable:
                    unreadable.append(f"{model._meta.label} {row}")
        for key in factors.factors():
            try:
                written += factors.reseal_factor(key)
            except SecretUnreadable:
                unreadable.append(f"second factor {key}")
        self.stdout.write(f"{written} {'row' if written == 1 else 'rows'} re-encrypted.")
        if unreadable:
            raise CommandError(
                f"No key of IMPORT_ENCRYPTION_KEYS reads {', '.join(unreadable)}. Keep the old "
                "key that does, or rotate these secrets."
            )

"""The secrets of second factors at rest: encrypted inside the JSON that django-allauth stores."""

from collections.abc import Iterator

from allauth.mfa.models import Authenticator
from django.db import transaction

from common.secrets import MARK, SecretUnreadable, seal, unseal

SEALED = ("secret", "seed", "migrated_codes")  # of an app, and of recovery codes


def reseal_factor(key: int) -> int:
    """Encrypt one factor's secrets with the first key. Return 1, or 0 if there is none."""
    with transaction.atomic():
        row = Authenticator.objects.select_for_update().filter(pk=key).first()
        if row is None or not (sealed := _sealed(row)):
            return 0
        row.data |= {name: seal(unseal(text)) for name, text in sealed.items()}
        row.save(update_fields=["data"])
        return 1


def missing_keys() -> Iterator[str]:
    """Yield the id of each encryption key that a factor needs and the settings lack."""
    seen: dict[str, str] = {}
    for row in Authenticator.objects.exclude(type="webauthn").iterator():
        for text in _sealed(row).values():
            seen.setdefault(text.partition(MARK)[0], text)
    for key_id, text in seen.items():
        try:
            unseal(text)
        except SecretUnreadable:
            yield key_id


def factors() -> Iterator[int]:
    """Yield the keys of the factors that hold a secret."""
    yield from Authenticator.objects.exclude(type="webauthn").values_list("pk", flat=True)


def _sealed(row: Authenticator) -> dict[str, str]:
    return {name: row.data[name] for name in SEALED if isinstance(row.data.get(name), str)}

"""Valid options of a new key, wherever it is minted; and whether this engine can mint."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings

from common.ids import PREFIXES, new_id
from licensing import services
from licensing.tokens import keyfiles, keys
from licensing.tokens.keys import Claims

LONGEST_DAYS = 36_500


class WrongWish(ValueError):
    """A key cannot be minted so; names what was asked for and how it must be."""

    def __init__(self, of: str, sentence: str) -> None:
        self.of, self.sentence = of, sentence
        super().__init__(f"{of}: {sentence}")


@dataclass(frozen=True, slots=True)
class Wish:
    """The requested properties of a key."""

    tenant: str = ""  # blank: a new one
    plan: str = ""
    entitlements: frozenset[str] = frozenset()
    origins: frozenset[str] | None = None  # None: any page
    for_pages: bool = False
    days: int = 365
    label: str = ""  # a name for people
    is_test: bool = False


def claims_for(wish: Wish, *, at: datetime) -> Claims:
    """Return the claims of a new key, with a license id of its own. Raise WrongWish."""
    if wish.tenant and not keys.TENANT_ID.fullmatch(wish.tenant):
        raise WrongWish("tenant", "must be tnt_ and up to 60 letters, digits, _ or -.")
    if wish.is_test and len(wish.tenant) > keys.LONGEST_OF_A_TEST:
        raise WrongWish("tenant", f"must have at most {keys.LONGEST_OF_A_TEST} characters.")
    if wish.is_test and keys.CATALOG_EDITOR in wish.entitlements:
        raise WrongWish(
            "entitlement", f"{keys.CATALOG_EDITOR} cannot be in a test key: catalogs are live ones."
        )
    if wish.plan and not keys.PLAN.fullmatch(wish.plan):
        raise WrongWish("plan", "must be up to 40 letters, digits, _ or -.")
    if not 1 <= wish.days <= LONGEST_DAYS:
        raise WrongWish("days", f"must be between 1 and {LONGEST_DAYS}.")
    if wish.for_pages and not wish.origins:
        raise WrongWish("origin", "must name the pages that a key for pages is for, as https://...")
    if wish.for_pages and wish.entitlements:
        raise WrongWish("entitlement", "cannot be in a page key, which anyone can read.")
    for origin in wish.origins or ():
        if not keys.ORIGIN.fullmatch(origin):
            raise WrongWish("origin", f"must be like https://app.example.com, not {origin!r}.")
    return services.new_claims(
        tenant_id=wish.tenant or new_id(PREFIXES["tenant"]),
        at=at,
        lifetime=timedelta(days=wish.days),
        plan=wish.plan,
        entitlements=wish.entitlements,
        origins=wish.origins,
        label=wish.label,
        is_test=wish.is_test,
    )


def key_folder() -> Path:
    """Return the folder where ``license keygen`` writes the pair of a development engine."""
    return Path(settings.DATA_DIR) / "keys"


def development_key() -> ec.EllipticCurvePrivateKey | None:
    """Return the signing key of a development engine; None on any other engine."""
    if not settings.DEMO:
        return None
    try:
        return keyfiles.read_private_key(key_folder() / keyfiles.PRIVATE_NAME)
    except keyfiles.UnusableKeyFile:
        return None

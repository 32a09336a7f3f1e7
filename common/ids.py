"""Public ids: a prefix and a ULID-style body, sortable by time and unguessable."""

import secrets
import time

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford base 32, lower case
PREFIXES = {
    "tenant": "tnt_",
    "license": "lic_",
    "page session": "ses_",
    "question": "qst_",
    "remembered answer": "ans_",
    "import": "rec_",
    "profile": "prf_",
    "changeset": "chg_",
    "registration": "whk_",
    "delivery": "dlv_",
    "catalog version": "ctv_",
    "event": "evt_",
    "kept test": "tst_",
    "bulk change": "blk_",
    "link": "lnk_",
    "feed": "fed_",
    "feed run": "run_",
    "lookup": "lkp_",
    "mail": "mal_",
}


def new_id(prefix: str) -> str:
    """
    Return a new id: 48 bits of milliseconds, then 80 random bits.

    >>> len(new_id("rec_"))
    30
    """
    number = ((time.time_ns() // 1_000_000) << 80) | secrets.randbits(80)
    digits = (ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))
    return prefix + "".join(digits)

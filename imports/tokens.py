"""The token of one import: it lets a page key access this import, and no other."""

import hashlib
import secrets

PREFIX = "imp_tok_"


def new_token() -> str:
    """Return a new token, shown once, when its import is created."""
    return PREFIX + secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """Return the stored hash of a token, from which the token cannot be derived."""
    return hashlib.sha256(token.encode()).hexdigest()

"""The token of one import: what lets a key that stands in a page reach it, and no other."""

import hashlib
import secrets

PREFIX = "imp_tok_"


def new_token() -> str:
    """Make a token, to be shown once, when its import is created."""
    return PREFIX + secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """Give what is kept of a token; nobody can tell the token from it."""
    return hashlib.sha256(token.encode()).hexdigest()

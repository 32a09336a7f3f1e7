"""What a page may say of an import, beside what its host's session settles. docs/embedding.md."""

from collections.abc import Collection
from typing import Any

from licensing.caller import Caller
from licensing.refusals import FixedBySession, PageKeyNotAllowed
from licensing.sessions import EXCLUDE, FIX, INCLUDE

PAGE = "page"  # the member of `meta` that holds what a browser said
DONE_AT_APPLY = {"exclude": EXCLUDE, "include": INCLUDE}


def as_settled(caller: Caller, asked: dict[str, Any]) -> dict[str, Any]:
    """
    Lay what is settled for a caller over what it says of a new import.

    A page's ``meta`` becomes the member ``page`` of the host's. FixedBySession names each member
    that a session settles otherwise; PageKeyNotAllowed for a scope that a page chooses.
    """
    if not caller.is_page:
        return asked
    if caller.session is None:
        if asked.get("scope"):
            raise PageKeyNotAllowed
        return asked | {"meta": _beside(None, asked.get("meta"))}
    session = caller.session
    settled = {"scope": session.scope}
    if session.catalog_key:
        settled["catalogKey"] = session.catalog_key
    _refuse_other(settled, asked)
    return asked | settled | {"meta": _beside(session.meta, asked.get("meta"))}


def is_unknown_page(caller: Caller) -> bool:
    """Whether any visitor may stand behind a page: what it does teaches nobody."""
    return caller.is_page and not (caller.session and caller.session.scope)


def as_applied(caller: Caller, asked: dict[str, Any], *, named: Collection[str]) -> dict[str, Any]:
    """
    Lay the session's mode over how a page applies; named: the members that the page sent.

    FixedBySession for another mode, and for what may not be done to invalid rows.
    """
    session = caller.session
    if session is None:
        return asked
    settled = {"applyMode": session.apply_mode}
    _refuse_other(settled, {name: asked[name] for name in settled if name in named})
    needed = DONE_AT_APPLY.get(asked["invalidRows"])
    require(caller, *([needed] if needed else []))
    return asked | settled


def require(caller: Caller, *doings: str) -> None:
    """Refuse what the caller's session does not allow to be done to rows: fix, exclude, include."""
    if caller.session is None:
        return
    refused = sorted(set(doings) - caller.session.invalid_rows)
    if refused:
        raise FixedBySession(
            f"The host does not let this page {' or '.join(map(_said, refused))}.",
            allowed=sorted(caller.session.invalid_rows),
        )


def _said(doing: str) -> str:
    return {FIX: "change rows", EXCLUDE: "leave rows out", INCLUDE: "send rows with errors"}[doing]


def _beside(host: dict[str, Any] | None, page: dict[str, Any] | None) -> dict[str, Any] | None:
    """Keep what a browser said apart from what the host did."""
    return host if page is None else {**(host or {}), PAGE: page}


def _refuse_other(settled: dict[str, str], asked: dict[str, Any]) -> None:
    wrong = [
        {"pointer": f"/{name}", "detail": "The host settled this for its page."}
        for name, value in settled.items()
        if asked.get(name) not in {None, "", value}
    ]
    if wrong:
        raise FixedBySession(errors=wrong)

"""What the table of operations is made of: allowances, members and operations. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

FIX, EXCLUDE, INCLUDE = "fix", "exclude", "include"
INVALID_ROWS = (FIX, EXCLUDE, INCLUDE)  # what a session's `invalidRows` may name

CONTEXT, DISMISS, CLEAR = "context", "dismissQuestions", "clearKnown"
UNDO_OTHERS, CANCEL, RELEASE = "undoOthers", "cancel", "release"
REVERT, PURGE = "revert", "purge"
SERVER = "server"  # of no session: full keys and staff alone
REVIEW = "imports.review_importrecord"  # of staff: to see rows, and cells of any file
PUBLISH = "catalogs.change_catalogversion"  # of staff: to publish catalogs, not only edit them

RIGHTS: Mapping[str, str] = MappingProxyType(
    {  # what a session's `rights` may name, and what each lets the page do
        CONTEXT: "send `context`, `keepUnmapped` and `contractId` with a new import",
        DISMISS: "dismiss all open questions at once",
        CLEAR: "let empty cells clear what is known (`emptyCells`)",
        UNDO_OTHERS: "undo and redo changes of other people",
        CANCEL: "cancel imports that your server started",
        RELEASE: "apply or discard a staged changeset",
        REVERT: "take applied imports back",
        PURGE: "delete imports with their files and rows",
    }
)
DOINGS: Mapping[str, str] = MappingProxyType(
    {FIX: "change rows", EXCLUDE: "leave rows out", INCLUDE: "send rows with errors"}
)


class Pages(StrEnum):
    """Which callers in a page may call an operation, about imports they reach."""

    NONE = "no"
    KEYS = "page keys"
    BOTH = "page keys and sessions"


@dataclass(frozen=True, slots=True)
class Member:
    """
    One member of a request, and what a page needs to send it.

    values: which of its values need that; empty: any value but the one that holds without it.
    when: for a need that depends on the import, the case, in words; the view decides it. keys:
    whether a page key may send it where it needs nothing.
    """

    needs: tuple[str, ...] = ()
    values: tuple[Any, ...] = ()
    when: str = ""
    keys: bool = True


PLAIN = Member()


@dataclass(frozen=True, slots=True)
class Operation:
    """
    One operation of the API by its operationId, or one tool by its name, and who may call it.

    entitlement: what a license key must carry. staff: the Django permission that a member of the
    staff needs; blank: staff may not call it. reads: it changes nothing, so that the role `viewer`
    is enough. needs: what a session must allow, whatever the request says; when: only then.
    is_open: it takes no key.
    """

    name: str
    staff: str = ""
    reads: bool = False
    pages: Pages = Pages.NONE
    entitlement: str = ""
    needs: tuple[str, ...] = ()
    when: str = ""
    is_open: bool = False
    members: Mapping[str, Member] = field(default_factory=dict)

"""The parts of the table of operations: allowances, members and operations. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

FIX, EXCLUDE, INCLUDE = "fix", "exclude", "include"
INVALID_ROWS = (FIX, EXCLUDE, INCLUDE)  # the values of a session's `invalidRows`

CONTEXT, DISMISS, CLEAR = "context", "dismissQuestions", "clearKnown"
UNDO_OTHERS, CANCEL, RELEASE = "undoOthers", "cancel", "release"
REVERT, PURGE = "revert", "purge"
SEE_CHANGES, DELETE_KNOWN = "seeChanges", "deleteKnown"
CUSTOM_FIELDS = "customFields"
SERVER = "server"  # not for sessions: full keys and staff only
REVIEW = "imports.review_importrecord"  # for staff: see rows, and cells of any file
KNOWN = "references.change_knownentity"  # for staff: list known entities, with their values
PUBLISH = "catalogs.change_catalogversion"  # for staff: publish catalogs besides editing them

CORRECTING = frozenset(  # all that the page of a link for correcting an import may call
    {
        "imports_export",
        "imports_corrections_create",
        "imports_corrections_read",
        "imports_corrections_confirm",
    }
)

RIGHTS: Mapping[str, str] = MappingProxyType(
    {  # the values of a session's `rights`, and what each allows
        CONTEXT: "send `context`, `keepUnmapped` and `contractId` with a new import",
        DISMISS: "dismiss all open questions at once",
        CLEAR: "let empty cells clear what is known (`emptyCells`)",
        UNDO_OTHERS: "undo and redo changes of other people",
        CANCEL: "cancel imports that your server started",
        RELEASE: "apply or discard a staged changeset",
        REVERT: "take applied imports back",
        PURGE: "delete imports with their files and rows",
        DELETE_KNOWN: "delete what is known and missing from the file (`mode`)",
        CUSTOM_FIELDS: "keep unmapped columns as new fields, where the catalog lets people",
        SEE_CHANGES: "see what an import would change, with what is known in its scope",
    }
)
DOINGS: Mapping[str, str] = MappingProxyType(
    {FIX: "doing.fix", EXCLUDE: "doing.exclude", INCLUDE: "doing.include"}
)


class Pages(StrEnum):
    """Which callers in a page may call an operation, for imports they may access."""

    NONE = "no"
    KEYS = "page keys"
    SESSIONS = "sessions"
    BOTH = "page keys and sessions"


@dataclass(frozen=True, slots=True)
class Member:
    """
    One member of a request, and what a page needs to send it.

    values: which of its values need that; empty: any value except the one that applies without it.
    when: the condition in words, for a need that depends on the import; the view checks it. keys:
    whether a page key may send it if it needs nothing.
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

    entitlement: what a license key must have. staff: the Django permission that a staff member
    needs; blank: staff may not call it. reads: it changes nothing, so that the role `viewer` is
    enough. needs: what a session must allow for any request; when: only under this condition.
    is_open: it needs no key.
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

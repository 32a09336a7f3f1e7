"""Check a call against the table of operations: the operation itself, then its members."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from rest_framework.request import Request

from common.errors import NotAllowed
from common.wording.messages import Message
from licensing.caller import Caller
from licensing.refusals import (
    EntitlementRequired,
    FixedBySession,
    PageKeyNotAllowed,
    PermissionRequired,
    PublisherRequired,
    RightRequired,
    RoleNotAllowed,
)
from licensing.rights.model import (
    CORRECTING,
    DOINGS,
    PUBLISH,
    REVIEW,
    RIGHTS,
    Member,
    Operation,
    Pages,
)
from licensing.rights.table import OPERATIONS

ViewT = TypeVar("ViewT")
PLACES = ("first", "second", "third")  # of what a page may not do
DOINGS_REFUSED = {
    1: "fixed_by_session.one",
    2: "fixed_by_session.two",
    3: "fixed_by_session.three",
}


def declares(**names: str) -> Callable[[ViewT], ViewT]:
    """Declare the operation of each method of a view. Raise KeyError if the table lacks it."""
    declared = {method: OPERATIONS[name] for method, name in names.items()}

    def mark(view: ViewT) -> ViewT:
        cast(Any, getattr(view, "cls", view)).operations = declared
        return view

    return mark


def declared_by(view: Any, method: str | None) -> Operation | None:
    """Return the operation of a view's method; None if it declares none."""
    operations: Mapping[str, Operation] = getattr(view, "operations", {})
    return operations.get("GET" if method == "HEAD" else method or "")


def operation_of(request: Request) -> Operation:
    """Return the operation of a request to a view that declares one."""
    view = (request.parser_context or {}).get("view")
    operation = declared_by(view, request.method)
    if operation is None:
        raise LookupError(f"{view} declares no operation for {request.method}")
    return operation


def check_operation(caller: Caller, operation: Operation) -> None:
    """
    Raise if the table does not let a caller call an operation.

    Raise PageKeyNotAllowed or RightRequired for a page, RoleNotAllowed or PermissionRequired for
    staff, EntitlementRequired for a key.
    """
    if caller.permissions is not None:
        _check_staff(caller, caller.permissions, operation)
    elif caller.is_page:
        _check_page(caller, operation)
    if caller.permissions is None and not _is_entitled(caller, operation):
        raise EntitlementRequired(operation.entitlement)


def may_call(caller: Caller, operation: str) -> bool:
    """Return whether the table lets a caller call an operation, by its name."""
    try:
        check_operation(caller, OPERATIONS[operation])
    except NotAllowed:
        return False
    return True


def _is_entitled(caller: Caller, operation: Operation) -> bool:
    return not operation.entitlement or caller.may(operation.entitlement)


def _check_staff(caller: Caller, permissions: frozenset[str], operation: Operation) -> None:
    if operation.is_open:
        return
    if not (caller.changes or operation.reads):
        raise RoleNotAllowed
    if operation.staff and operation.staff in permissions:
        return
    if operation.staff == PUBLISH:
        raise PublisherRequired
    raise PermissionRequired(operation.staff)


def _check_page(caller: Caller, operation: Operation) -> None:
    own = Pages.KEYS if caller.session is None else Pages.SESSIONS
    if not operation.is_open and operation.pages not in {Pages.BOTH, own}:
        raise PageKeyNotAllowed
    if caller.corrects and not (operation.is_open or operation.name in CORRECTING):
        raise PageKeyNotAllowed
    if operation.needs and not operation.when:
        require(caller, *operation.needs)


def check_members(
    caller: Caller,
    operation: Operation,
    values: Mapping[str, Any],
    without: Mapping[str, Any] | None = None,
) -> None:
    """
    Raise for members that a page may not send, each with its pointer.

    values: the values that would apply. without: the values that apply if the page sends nothing.
    Conditions that need the import (``when`` of the table) are checked by the view with
    ``require``.
    """
    if not caller.is_page:
        return
    missing: dict[str, tuple[str, ...]] = {}
    for name, member in operation.members.items():
        if not member.needs or member.when:
            continue
        value, usual = _at(values, name), _at(without or {}, name)
        if _counts(member, value, usual) and (lacking := caller.lacks(*member.needs)):
            missing[f"/{name.replace('.', '/')}"] = lacking
    if missing:
        raise _refusal(caller, missing)


def require(caller: Caller, *needs: str, pointer: str = "") -> None:
    """Raise if a page lacks the right that a call needs."""
    if lacking := caller.lacks(*needs):
        raise _refusal(caller, {pointer: lacking})


def require_cells(caller: Caller) -> None:
    """Raise PermissionRequired if a staff member may not see the rows of imports."""
    if not caller.sees_cells:
        raise PermissionRequired(REVIEW)


def _counts(member: Member, value: Any, usual: Any) -> bool:
    if member.values:
        return value in member.values
    return (value or None) != (usual or None)


def _at(values: Mapping[str, Any], name: str) -> Any:
    value: Any = values
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _refusal(
    caller: Caller, missing: Mapping[str, tuple[str, ...]]
) -> PageKeyNotAllowed | FixedBySession | RightRequired:
    """Return the error with what is refused, and what the host can do about it."""
    needed = sorted({need for needs in missing.values() for need in needs})
    errors = [
        {"pointer": pointer, "detail": _sentence(needs)}
        for pointer, needs in missing.items()
        if pointer
    ]
    members: dict[str, Any] = {"errors": errors} if errors else {}
    if caller.session is None:
        return PageKeyNotAllowed(members=members)
    doings = [Message(DOINGS[need]) for need in needed if need in DOINGS]
    if len(doings) == len(needed):
        return FixedBySession(
            Message(DOINGS_REFUSED[len(doings)], **dict(zip(PLACES, doings, strict=False))),
            members={"allowed": sorted(caller.session.invalid_rows), **members},
        )
    named = [need for need in needed if need in RIGHTS]
    if not named:
        return PageKeyNotAllowed(members=members)  # for servers only
    return RightRequired(named, **members)


def _sentence(needs: tuple[str, ...]) -> Message:
    wanted = [need for need in needs if need in RIGHTS or need in DOINGS]
    if not wanted:
        return Message("right_required.server")
    member = "rights" if wanted[0] in RIGHTS else "invalidRows"
    return Message("right_required.by", need=wanted[0], member=member)

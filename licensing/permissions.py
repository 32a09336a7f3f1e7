"""What a caller needs before a view runs. Spec: Authentication, entitlements."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from licensing.caller import Caller
from licensing.refusals import EntitlementRequired, PageKeyNotAllowed, PublisherRequired


class IsCaller(BasePermission):
    """Everything needs a caller, except OPTIONS; a key in a page opens the views made for pages."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether somebody was let in; PageKeyNotAllowed for a page that asks for more."""
        caller: object = request.user
        if isinstance(caller, Caller) and caller.is_page and not _is_for(caller, request, view):
            raise PageKeyNotAllowed
        return request.method == "OPTIONS" or isinstance(caller, Caller)


def _is_for(caller: Caller, request: Request, view: Any) -> bool:
    method = "GET" if request.method == "HEAD" else request.method
    marked = "page_methods" if caller.session is None else "session_methods"
    return method == "OPTIONS" or method in getattr(view, marked, ())


class Publishes(IsCaller):
    """Who edits catalogs publishes them, but for staff whose groups only edit."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether the caller publishes what it edits; PublisherRequired."""
        caller: object = request.user
        if isinstance(caller, Caller) and not caller.publishes:
            raise PublisherRequired
        return True


def RequiresEntitlement(entitlement: str) -> type[IsCaller]:  # noqa: N802 - it makes a class
    """Make the permission that asks for one entitlement of the caller's own key."""

    class Requires(IsCaller):
        def has_permission(self, request: Request, view: Any) -> bool:
            """Whether this very key carries it; EntitlementRequired names what is lacking."""
            if not super().has_permission(request, view):
                return False
            caller: object = request.user
            if isinstance(caller, Caller) and not caller.may(entitlement):
                raise EntitlementRequired(entitlement)
            return True

    return Requires

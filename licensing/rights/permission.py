"""What a caller needs before a view runs, from the table of operations. Spec: Authentication."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from common.errors import NotAllowed
from licensing.caller import Caller
from licensing.rights.checker import check_operation, declared_by


class IsCaller(BasePermission):
    """Requires a caller that the table allows, except for OPTIONS."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return whether the request is authenticated. Raise NotAllowed if the table refuses it."""
        caller: object = request.user
        if request.method == "OPTIONS" or not isinstance(caller, Caller):
            return request.method == "OPTIONS"
        operation = declared_by(view, request.method)
        if operation is not None:
            check_operation(caller, operation)
        elif hasattr(view, str(request.method).lower()):
            raise NotAllowed  # a view without a declaration allows no caller
        return True

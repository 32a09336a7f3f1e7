"""What a caller needs before a view runs: the table of operations says it. Spec: Authentication."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from common.errors import NotAllowed
from licensing.caller import Caller
from licensing.rights.checking import check_operation, declared_by


class IsCaller(BasePermission):
    """Everything needs a caller whom the table lets call it, except OPTIONS."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return whether the request is authenticated; NotAllowed where the table refuses it."""
        caller: object = request.user
        if request.method == "OPTIONS" or not isinstance(caller, Caller):
            return request.method == "OPTIONS"
        operation = declared_by(view, request.method)
        if operation is not None:
            check_operation(caller, operation)
        elif hasattr(view, str(request.method).lower()):
            raise NotAllowed  # a view that declares nothing opens to nobody
        return True

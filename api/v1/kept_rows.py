"""Views of rows, and what they answer when the rows are purged while a view reads them."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from imports import kept

Answer = TypeVar("Answer")


def while_kept(view: Callable[..., Answer]) -> Callable[..., Answer]:
    """Answer as for purged rows, 404, when the import is purged while the view works."""

    @wraps(view)
    def checked(*arguments: Any, record_id: str, **named: Any) -> Answer:
        return kept.while_kept(record_id, lambda: view(*arguments, record_id=record_id, **named))

    return checked

"""Row views, and their answer if the rows are purged while a view reads them."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from imports.rows.while_kept import while_kept as answered_while_kept

Answer = TypeVar("Answer")


def while_kept(view: Callable[..., Answer]) -> Callable[..., Answer]:
    """Return a view that answers 404 if the import is purged while it works."""

    @wraps(view)
    def checked(*arguments: Any, record_id: str, **named: Any) -> Answer:
        return answered_while_kept(
            record_id, lambda: view(*arguments, record_id=record_id, **named)
        )

    return checked

"""Fields that are named by somebody: they must be there."""

from collections.abc import Iterable

from common.errors import InvalidRequest
from staging.columns import StagedTable


class UnknownField(InvalidRequest):
    """The rows have no such field."""

    code = "unknown_field"


def require_fields(table: StagedTable, paths: Iterable[str | None]) -> None:
    """Raise UnknownField for a field the rows do not have."""
    for path in paths:
        if path is not None and path not in table.files.by_field:
            raise UnknownField(f"The rows have no field {path!r}.", field=path)

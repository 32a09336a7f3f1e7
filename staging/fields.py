"""Fields that are named by somebody: they must be there."""

from collections.abc import Mapping

from common.errors import InvalidRequest
from staging.columns import StagedTable


class UnknownField(InvalidRequest):
    """The rows have no such field."""

    code = "unknown_field"


def require_fields(table: StagedTable, named: Mapping[str, str | None]) -> None:
    """
    Raise UnknownField for fields the rows do not have.

    named: pointer to the member that names a field, to its path; None names none.
    """
    wrong = {
        pointer: path
        for pointer, path in named.items()
        if path is not None and path not in table.files.by_field
    }
    if wrong:
        said = {pointer: f"The rows have no field {path!r}." for pointer, path in wrong.items()}
        raise UnknownField(
            next(iter(said.values())),
            field=next(iter(wrong.values())),
            errors=[{"pointer": pointer, "detail": text} for pointer, text in said.items()],
        )

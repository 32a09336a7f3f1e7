"""Which rows of a revision an apply delivers, by their counts."""

from collections.abc import Mapping
from dataclasses import dataclass

from common.errors import Conflict


class InvalidRows(Conflict):
    """Some rows have errors. Correct them, or exclude them."""

    code = "invalid_rows"


class NothingToApply(Conflict):
    """No row is left to import. Correct some, or cancel the import."""

    code = "nothing_to_apply"


@dataclass(frozen=True, slots=True)
class Frozen:
    """What an apply froze: which rows of which revision."""

    revision: int
    rows: int  # rows of the revision
    imported: int
    excluded: int  # excluded by a person
    failed: int  # invalid rows that were excluded; rows = imported + excluded + failed

    @property
    def counts(self) -> dict[str, int]:
        """Return the row counts as a changeset has them."""
        return {
            "rows": self.rows,
            "imported": self.imported,
            "excluded": self.excluded,
            "failed": self.failed,
        }


def frozen_rows(revision: int, counts: Mapping[str, int], invalid_rows: str) -> Frozen:
    """
    Return what an apply freezes of a revision.

    invalid_rows: block (raise InvalidRows if there are any), exclude or include. Raise
    NothingToApply if no row would be imported.
    """
    invalid = counts.get("error", 0)
    if invalid and invalid_rows == "block":
        raise InvalidRows("invalid_rows.rows", rows=invalid, members={"rows": invalid})
    left_out = invalid if invalid_rows == "exclude" else 0
    rows, excluded = counts.get("rows", 0), counts.get("excluded", 0)
    frozen = Frozen(
        revision=revision,
        rows=rows,
        imported=rows - excluded - left_out,
        excluded=excluded,
        failed=left_out,
    )
    if frozen.imported <= 0:
        raise _nothing_left(frozen)
    return frozen


def _nothing_left(frozen: Frozen) -> NothingToApply:
    excluded, failed = frozen.excluded, frozen.failed
    if not frozen.rows:
        return NothingToApply("nothing_to_apply.no_rows")
    if excluded > 0 and failed > 0:
        return NothingToApply("nothing_to_apply.both", excluded=excluded, failed=failed)
    if failed > 0:
        return NothingToApply("nothing_to_apply.failed", failed=failed)
    return NothingToApply("nothing_to_apply.excluded", excluded=excluded)

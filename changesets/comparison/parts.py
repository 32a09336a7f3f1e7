"""Which delivery of an apply contains which rows, or which deleted entities."""

from collections.abc import Iterator

from changesets.bodies import SUBMIT
from changesets.models import Changeset, DeliveryPart
from common.errors import Conflict
from common.ids import new_id
from deliveries import splitter
from deliveries.models import Registration
from deliveries.nested import MOST_ROWS
from deliveries.services.outbox import ParentTooLarge
from deliveries.services.registrations import CHANGES
from staging.exports.parents import Parents

MOST_PARTS = 10_000


class TooManyParts(Conflict):
    """A registration's maxRowsPerDelivery splits this import into too many deliveries. Raise it."""

    code = "too_many_parts"


def parts_for(
    changeset: Changeset,
    registration: Registration,
    row_count: int,
    *,
    action: str = SUBMIT,
    parents: Parents | None = None,
) -> Iterator[DeliveryPart]:
    """
    Yield the deliveries of some rows, or of as many deleted entities, to one registration.

    parents: those of the rows, if the registration gets nested deliveries. Raise TooManyParts, or
    ParentTooLarge if one of them alone does not fit.
    """
    max_rows = registration.max_rows_per_delivery or max(row_count, 1)
    if parents is None:
        sizes = splitter.rows_of_parts(row_count, max_rows)
    else:
        sizes = whole_parents(parents, max_rows)
    if (count := len(sizes)) > MOST_PARTS:
        raise TooManyParts(
            "too_many_parts.of",
            rows=row_count,
            most=max_rows,
            deliveries=count,
            url=registration.url,
            limit=MOST_PARTS,
        )
    first = 0
    for index, rows in enumerate(sizes):
        yield DeliveryPart(
            changeset=changeset,
            delivery_id=new_id("dlv_"),
            webhook_id=registration.public_id,
            number=index + 1,
            part_count=count,
            first=first,
            row_count=rows,
            action=action,
            nested=parents is not None,
            has_changes=action == SUBMIT and CHANGES in registration.include,
        )
        first += rows


def whole_parents(parents: Parents, max_rows: int) -> list[int]:
    """Return how many rows each part has if no parent is split. Raise ParentTooLarge."""
    most = min(max_rows, MOST_ROWS)
    if len(parents.sizes) and (largest := int(parents.sizes.max())) > most:
        key = parents.key(int(parents.sizes.argmax()))
        raise ParentTooLarge(
            "parent_too_large.key",
            key=", ".join(map(str, key.values())),
            rows=largest,
            most=most,
            members={"key": key, "rows": largest, "allowed": most},
        )
    return [cut.rows for cut in splitter.whole_parents(parents.sizes.tolist(), max_rows)]

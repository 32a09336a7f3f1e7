"""Which delivery of an apply contains which rows, or which deleted entities."""

from collections.abc import Iterator

from changesets.bodies import SUBMIT
from changesets.models import Changeset, DeliveryPart
from common.errors import Conflict
from common.ids import new_id
from deliveries import splitter
from deliveries.models import Registration
from deliveries.services.registrations import CHANGES

MOST_PARTS = 10_000


class TooManyParts(Conflict):
    """A registration's maxRowsPerDelivery splits this import into too many deliveries. Raise it."""

    code = "too_many_parts"


def parts_for(
    changeset: Changeset, registration: Registration, row_count: int, *, action: str = SUBMIT
) -> Iterator[DeliveryPart]:
    """Yield the deliveries of some rows, or of as many deleted entities, to one registration."""
    max_rows = registration.max_rows_per_delivery or max(row_count, 1)
    if (count := splitter.count_parts(row_count, max_rows)) > MOST_PARTS:
        raise TooManyParts(
            "too_many_parts.of",
            rows=row_count,
            most=max_rows,
            deliveries=count,
            url=registration.url,
            limit=MOST_PARTS,
        )
    for index, rows in enumerate(splitter.rows_of_parts(row_count, max_rows)):
        yield DeliveryPart(
            changeset=changeset,
            delivery_id=new_id("dlv_"),
            webhook_id=registration.public_id,
            number=index + 1,
            part_count=count,
            first=index * max_rows,
            row_count=rows,
            action=action,
            has_changes=action == SUBMIT and CHANGES in registration.include,
        )

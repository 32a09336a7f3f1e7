"""
Keep two engines with different databases out of one bucket.

Each would take the other's files for files that nothing names, and delete them.
"""

import logging
import secrets
from typing import TYPE_CHECKING

from common.storage.errors import StorageUnreachable

if TYPE_CHECKING:
    from common.storage.bucket import Bucket

logger = logging.getLogger(__name__)

FOREIGN = (
    "the bucket belongs to an engine with another database: use another prefix in IMPORT_S3_URL,"
    " or remove its object .engine if that database is gone"
)


def claim(bucket: "Bucket") -> None:
    """Make sure that a bucket has the files of this database. Raise StorageUnreachable if not."""
    from common.models import Installation

    own, _ = Installation.objects.get_or_create(
        pk=1, defaults={"identifier": secrets.token_hex(16)}
    )
    if bucket.marker(own.identifier) != own.identifier:
        logger.error("the file store: %s", FOREIGN)
        raise StorageUnreachable

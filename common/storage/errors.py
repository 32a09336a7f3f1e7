"""What can be wrong with the place where files are stored."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from common.errors import Unavailable

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


class StorageFull(Unavailable):
    """The engine has no space for this file. Contact the operator, then retry."""

    code = "storage_full"


class StorageUnreachable(Unavailable):
    """The engine's file store does not answer, or refuses the engine. Retry later."""

    code = "storage_unreachable"


class StorageDamaged(Unavailable):
    """A stored file is not what the engine wrote. Contact the operator."""

    code = "storage_damaged"


@contextmanager
def space_needed() -> Iterator[None]:
    """Raise StorageFull for a disk or quota without space."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise StorageFull from error
        raise

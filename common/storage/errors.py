"""What can be wrong with the place where files are stored."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from common.errors import Unavailable

LONGEST_LINE = 300  # characters
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


def what_is_wrong(error: BaseException) -> str:
    """Return the first line of an error of the store."""
    known = {
        "RequestTimeTooSkewed": "the clock of this machine or of the store is off",
        "NoSuchBucket": "the bucket does not exist",
        "AccessDenied": "access is denied",
        "SignatureDoesNotMatch": "the secret key is wrong",
        "InvalidAccessKeyId": "the access key is unknown",
    }
    text = str(error)
    first = text.partition("\n")[0]
    return next((words for code, words in known.items() if code in text), first[:LONGEST_LINE])

"""Work on the rows of an import that may be purged meanwhile: nothing less than all is answered."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from imports.selectors import is_kept
from imports.services.reviewing import UnknownRevision

Answer = TypeVar("Answer")


def while_kept(record_id: str, work: Callable[[], Answer]) -> Answer:
    """
    Return what some work comes to; UnknownRevision where the import is purged while it works.

    A read of what a purge deletes either fails or finds less than there was. Such an answer never
    leaves; any other failure does, as what it is.
    """
    was_kept = is_kept(record_id)
    try:
        answer = work()
    except Exception as error:
        if not was_kept or is_kept(record_id):
            raise
        raise UnknownRevision from error
    if was_kept and not is_kept(record_id):
        raise UnknownRevision
    return answer


def sent_while_kept(record_id: str, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """
    Pass on the chunks of a file; UnknownRevision where its import is purged before the last one.

    The answer has begun by then, so its transfer breaks off: a client sees that the file is not
    whole. The last chunk is held back until the import is known to be kept.
    """
    held = b""
    try:
        for chunk in chunks:
            if held:
                yield held
            held = chunk
    except Exception as error:
        if is_kept(record_id):
            raise
        raise UnknownRevision from error
    if not is_kept(record_id):
        raise UnknownRevision
    yield held

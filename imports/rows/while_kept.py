"""Work on the rows of an import that may be purged meanwhile: no partial answer is ever sent."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from common.errors import NotFound, ServiceError
from imports.selectors import is_kept, is_purged
from imports.services.review import UnknownRevision

Answer = TypeVar("Answer")


def while_kept(record_id: str, work: Callable[[], Answer]) -> Answer:
    """
    Return the result of some work. Raise UnknownRevision if the import is purged meanwhile.

    Reading data that a purge deletes either fails or finds less than there was. Such an answer is
    never sent, nor a refusal that follows from it; any other failure is raised unchanged.
    """
    try:
        answer = work()
    except NotFound:
        raise
    except Exception as error:
        is_refusal = isinstance(error, ServiceError)
        if is_purged(record_id) if is_refusal else not is_kept(record_id):
            raise UnknownRevision from error
        raise
    if not is_kept(record_id):
        raise UnknownRevision
    return answer


def sent_while_kept(record_id: str, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """
    Yield the chunks of a file. Raise UnknownRevision if its import is purged before the last one.

    The response has started by then, so the transfer is cut off and a client sees that the file is
    incomplete. The last chunk is held back until it is certain that the import still exists.
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

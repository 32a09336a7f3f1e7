"""A worker that dies during its work, at any place where it writes."""

from contextlib import ExitStack, contextmanager
from unittest.mock import patch


class Died(BaseException):
    """The process is gone: nothing that catches errors sees it."""


PLACES = {
    "reading": (
        "imports.jobs.reading.run_job",
        "imports.jobs.reading.join",
        "imports.jobs.reading.record_questions",
        "imports.models.ImportRecord.move_to",
    ),
    "transforming": (
        "imports.jobs.transforming.run_job",
        "imports.jobs.transforming.record_questions",
        "imports.jobs.transforming.staging.stage",
        "imports.jobs.transforming.staging.rebase",
        "imports.jobs.transforming.staging.follow",
        "imports.models.ImportRecord.move_to",
    ),
    "review": (
        "imports.services.reviewing.staging.commit",
        "imports.services.reviewing._point",
    ),
    "applying": (
        "changesets.services.storage.store",
        "changesets.services._enqueue",
        "changesets.models.Changeset.move_to",
        "imports.models.ImportRecord.move_to",
    ),
}
WAYS = ("before", "after")


@contextmanager
def dying(place: str, way: str, error: BaseException):
    """Raise at a place, before or after its work, while the block runs."""
    module, name = place.rsplit(".", 1)
    owner = _resolve(module)
    real = getattr(owner, name)

    def fatal(*args, **kwargs):
        if way == "after":
            real(*args, **kwargs)
        raise error

    with ExitStack() as stack:
        stack.enter_context(patch.object(owner, name, fatal))
        yield


def _resolve(path: str):
    from pkgutil import resolve_name

    return resolve_name(path)

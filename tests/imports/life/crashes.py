"""A worker that dies during its work, at any place where it writes."""

from contextlib import ExitStack, contextmanager
from unittest.mock import patch


class Died(BaseException):
    """The process is gone: nothing that catches errors sees it."""


PLACES = {
    "reading": (
        "sandbox.bench.run_job",
        "imports.jobs.read.run",
        "imports.jobs.read.record_questions",
        "imports.models.ImportRecord.move_to",
    ),
    "transforming": (
        "sandbox.bench.run_job",
        "imports.jobs.transform.record_questions",
        "imports.jobs.transform.staging.stage",
        "imports.jobs.transform.staging.rebase",
        "imports.jobs.transform.staging.follow",
        "imports.models.ImportRecord.move_to",
    ),
    "review": (
        "imports.services.review.staging.commit",
        "imports.services.review._point",
    ),
    "applying": (
        "changesets.services.storage.store",
        "changesets.services.enqueue",
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

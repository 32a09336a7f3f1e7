"""The operations between two revisions."""

from staging.models import Revision


def between(current: Revision, seen: int) -> list[Revision]:
    """Return the operations after ``seen`` that led to ``current``, oldest first."""
    later = Revision.objects.filter(
        subject=current.subject, number__gt=seen, number__lte=current.number
    ).defer("manifest")
    by_number = {revision.number: revision for revision in later}
    path, number = [], current.number
    while number in by_number:
        path.append(by_number[number])
        number = by_number[number].parent or 0
    return path[::-1]


def have_same_rows(first: Revision, other: Revision) -> bool:
    """Return whether the row numbers of two revisions of a table mean the same rows."""
    return first.transform == other.transform

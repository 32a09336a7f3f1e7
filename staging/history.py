"""The operations between two revisions."""

from staging.models import Revision


def between(current: Revision, seen: int) -> list[Revision]:
    """List the operations after ``seen`` that led to ``current``, oldest first."""
    later = Revision.objects.filter(
        subject=current.subject, number__gt=seen, number__lte=current.number
    ).defer("manifest")
    by_number = {revision.number: revision for revision in later}
    path, number = [], current.number
    while number in by_number:
        path.append(by_number[number])
        number = by_number[number].parent or 0
    return path[::-1]


def is_transformed_between(one: Revision, other: Revision) -> bool:
    """Whether a transform lies between two revisions of a table, in either order."""
    first, last = sorted((one.number, other.number))
    between = Revision.objects.filter(subject=one.subject, number__gt=first, number__lte=last)
    return between.filter(kind=Revision.Kind.TRANSFORM).exists()

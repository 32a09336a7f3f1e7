"""What imports show about their catalogs: the latest, how many are open, and what they ask."""

from collections.abc import Collection, Container
from dataclasses import dataclass

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery

from imports.models import ImportRecord, Profile
from ledger.models import Question
from licensing.models import Tenant

State = ImportRecord.State
OVER = ImportRecord.ENDED | {State.FAILED}
MOST_PROFILES = 2_000  # the newest ones are examined
CATALOG = "catalog_version__catalog_id"


@dataclass(frozen=True, slots=True)
class Activity:
    """The imports of one catalog in numbers."""

    last: ImportRecord | None = None
    open_imports: int = 0
    open_questions: int = 0


def activity(tenant: Tenant, catalogs: Collection[int]) -> dict[int, Activity]:
    """Return the activity of some catalogs of a tenant, by their database keys; 3 queries."""
    mine = ImportRecord.objects.filter(tenant=tenant, purpose=ImportRecord.Purpose.IMPORT)
    counted = (
        mine.filter(**{f"{CATALOG}__in": catalogs})
        .values(CATALOG)
        .annotate(last=Max("pk"), open=Count("pk", filter=~Q(state__in=OVER)))
        .order_by()
    )
    rows = {row[CATALOG]: row for row in counted}
    last = mine.only("public_id", "created_at", "state", "counts").in_bulk(
        [row["last"] for row in rows.values()]
    )
    question_counts = _open_questions(tenant)
    return {
        catalog: Activity(last[row["last"]], row["open"], question_counts.get(catalog, 0))
        for catalog, row in rows.items()
    }


def imports_into(tenant: Tenant, key: str) -> "QuerySet[ImportRecord]":
    """Return the imports into a catalog, newest first."""
    mine = ImportRecord.objects.filter(tenant=tenant, purpose=ImportRecord.Purpose.IMPORT)
    into = mine.filter(catalog_version__catalog__key=key)
    return into.select_related("catalog_version__catalog").order_by("-public_id")


def open_imports(tenant: Tenant, key: str) -> "QuerySet[ImportRecord]":
    """Return the unfinished imports into a catalog; each ends on the version it began with."""
    return imports_into(tenant, key).exclude(state__in=OVER)


def with_rows(tenant: Tenant, key: str) -> "QuerySet[ImportRecord]":
    """Return the imports into a catalog that have rows."""
    there = imports_into(tenant, key).filter(revision__gt=0, purged_at=None)
    return there.filter(state__in=[State.REVIEW, State.STAGED, State.APPLIED])


@dataclass(frozen=True, slots=True)
class Losing:
    """A saved mapping, and its columns whose fields no longer exist."""

    profile: Profile
    columns: dict[str, str]  # column to field path


def profiles_losing(tenant: Tenant, key: str, fields: Container[str]) -> list[Losing]:
    """Return the saved mappings of a catalog that name other fields than these."""
    mine = Profile.objects.filter(tenant=tenant, catalog_key=key).order_by("-saved_at")
    losing = (
        Losing(
            profile,
            {column: path for column, path in profile.mapping.items() if path not in fields},
        )
        for profile in mine[:MOST_PROFILES]
    )
    return [item for item in losing if item.columns]


def _open_questions(tenant: Tenant) -> dict[int, int]:
    about = ImportRecord.objects.filter(
        tenant=tenant, public_id=OuterRef("subject"), purpose=ImportRecord.Purpose.IMPORT
    )
    counts = (
        Question.objects.filter(tenant=tenant, state=Question.State.OPEN)
        .annotate(about=Subquery(about.values(CATALOG)[:1]))
        .values("about")
        .annotate(count=Count("pk"))
        .order_by()
    )
    return {row["about"]: row["count"] for row in counts}

"""
Counts of days of one catalog: steps of imports, questions, issues and cells that people edited.

An import counts on the day of its upload, whenever its steps are done, so that of the imports of
a day never more did a step than did the step before it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime

from django.db import transaction
from django.db.models import Count

from analytics.by_catalog import corrected_headers
from analytics.by_catalog.journeys import APPLIED, REVIEW, Journey, Taken, journey
from analytics.days import KEPT, step
from analytics.models import CatalogDay
from common import clock
from common.actors import is_engine
from common.models import Move
from imports.models import ImportRecord
from imports.transitions import IMPORT_CANCELLED
from ledger.models import Question
from staging.models import CellEdit, Revision

MOST_NAMES = 1_000  # of codes, fields and questions of one day; steps are always counted whole
LONGEST_S = 600  # of the time to an answer that counts: who takes longer does something else

STOPPED = "stopped"  # besides the steps
# The beginnings of names of counts. A step, a code, a kind or a field path follows.
REACHED, TOOK, GAVE_UP, LEFT = "reached:", "took:", "gave_up:", "left:"
SAW, CLOSED = "saw:", "closed:"  # of the widget; see ``analytics.by_catalog.screens``
ISSUES, ISSUES_IN = "issues:", "issues_in:"
ASKED, ANSWERED_S, LEFT_OPEN = "asked:", "answered_s:", "left_open:"
EDITED, EDITED_IN = "edited:", "edited_in:"
WHOLE = (REACHED, TOOK, GAVE_UP, LEFT, SAW, CLOSED)
# Counts that say something only together: where the first is dropped, so are the others.
TOGETHER: tuple[tuple[str, ...], ...] = (
    (ISSUES_IN, ISSUES),
    (ASKED, ANSWERED_S, LEFT_OPEN),
    (EDITED_IN, EDITED),
)

Counts = Counter[str]
Key = tuple[str, str, date]  # a tenant, a catalog, the day of the upload
Days = dict[Key, Counts]
State = Question.State


def count(moves: list[Move]) -> None:
    """Add what these moves of imports say about their catalogs."""
    recent = clock.now() - KEPT
    subjects = {move.subject for move in moves if move.subject.startswith("rec_")}
    records = {record.public_id: record for record in _imports(subjects, since=recent)}
    journeys = _journeys(records)
    versions: dict[str, set[int]] = {}
    for move in moves:
        versions.setdefault(move.subject, set()).add(move.version)
    days: Days = {}
    new: dict[str, set[str]] = {APPLIED: set(), REVIEW: set(), STOPPED: set()}
    for name, record in records.items():
        counts = days.setdefault(key_of(record), Counts())
        for finished in _count_journey(journeys[name], versions[name], counts):
            new.setdefault(finished, set()).add(name)
    for name, counts in _issues(new[REVIEW]):
        days[key_of(records[name])].update(counts)
    added = (*_questions(new[APPLIED]), *_edits(new[APPLIED]), *_left_open(new[STOPPED]))
    for name, counts in added:
        days[key_of(records[name])].update(counts)
    add(days)
    corrected_headers.count(new[APPLIED])


def is_counted(record: ImportRecord) -> bool:
    """Return whether an import is one that the analytics of a catalog count."""
    return (
        record.purpose == ImportRecord.Purpose.IMPORT
        and record.catalog_version is not None
        and record.created_at > clock.now() - KEPT
    )


def stored(tenant: str, catalog: str, *, since: date) -> Counts:
    """Return the counts of all days of a catalog since one."""
    total = Counts()
    rows = CatalogDay.objects.filter(tenant=tenant, catalog=catalog, day__gte=since)
    for counts in rows.values_list("counts", flat=True):
        total.update(counts)
    return total


def forget(at: datetime) -> None:
    """Delete the counts of days that are no longer shown."""
    CatalogDay.objects.filter(day__lt=(at - KEPT).date()).delete()
    corrected_headers.forget(at - KEPT)


def _imports(subjects: Iterable[str], *, since: datetime) -> Iterator[ImportRecord]:
    records = ImportRecord.objects.filter(
        public_id__in=subjects,
        purpose=ImportRecord.Purpose.IMPORT,
        catalog_version__isnull=False,
        created_at__gt=since,
    )
    return (
        records.select_related("tenant", "catalog_version__catalog")
        .only("public_id", "created_at", "tenant__public_id", "catalog_version__catalog__key")
        .iterator()
    )


def key_of(record: ImportRecord) -> Key:
    """Return where the counts of an import are kept."""
    return record.tenant.public_id, record.catalog_key, record.created_at.date()


def _journeys(records: Mapping[str, ImportRecord]) -> dict[str, Journey]:
    by_subject: dict[str, list[Taken]] = {name: [] for name in records}
    moves = Move.objects.filter(subject__in=records).order_by("version")
    names = ("subject", "version", "from_state", "to_state", "at", "reason", "actor")
    for subject, *members in moves.values_list(*names):
        by_subject[subject].append(Taken(*members))
    return {
        name: journey(moves, created_at=records[name].created_at)
        for name, moves in by_subject.items()
    }


def _count_journey(journey: Journey, versions: set[int], counts: Counts) -> Iterator[str]:
    """Count the steps that were done with some moves, and the stop; yield each."""
    for done in journey.done:
        if done.version in versions:
            counts[f"{REACHED}{done.step}"] += 1
            counts[f"{TOOK}{done.step}:{step(done.seconds)}"] += 1
            yield done.step
    if journey.stop is not None and journey.stop.version in versions:
        kind = LEFT if journey.stop.by_engine else GAVE_UP
        counts[f"{kind}{journey.stop.step}"] += 1
        yield STOPPED


def _issues(subjects: set[str]) -> Iterator[tuple[str, Counts]]:
    """Yield how many issues of each code the rows of an import had when they were made first."""
    made = Revision.objects.filter(subject__in=subjects, kind=Revision.Kind.TRANSFORM)
    seen: set[str] = set()
    for revision in made.order_by("number").only("subject", "counts").iterator():
        if revision.subject not in seen:
            seen.add(revision.subject)
            by_code = (revision.counts or {}).get("byCode") or {}
            counts = Counts({f"{ISSUES}{code}": number for code, number in by_code.items()})
            counts.update(f"{ISSUES_IN}{code}" for code in by_code)
            yield revision.subject, counts


def _questions(subjects: set[str]) -> Iterator[tuple[str, Counts]]:
    """
    Yield the questions that people answered or dismissed, and the seconds that answers took.

    Not those that the engine decided, nor what was copied from the import that had the file before.
    """
    questions = Question.objects.filter(subject__in=subjects, learned_from="", recalled=None)
    answered = questions.filter(state=State.ANSWERED)
    dismissed = questions.filter(state=State.DISMISSED)
    moves = Move.objects.filter(
        subject__in=dismissed.values("public_id"), to_state=State.DISMISSED
    ).values_list("subject", "actor")
    by_people = [subject for subject, actor in moves.iterator() if not is_engine(actor)]
    counted = answered | dismissed.filter(public_id__in=by_people)
    names = ("subject", "kind", "field", "asked_at", "answered_at")
    for subject, kind, field, asked_at, answered_at in counted.values_list(*names).iterator():
        counts = Counts({f"{ASKED}{kind}:{field}": 1})
        if answered_at is not None:
            seconds = max(0.0, (answered_at - asked_at).total_seconds())
            counts[f"{ANSWERED_S}{kind}:{field}"] = round(min(seconds, LONGEST_S))
        yield subject, counts


def _left_open(subjects: set[str]) -> Iterator[tuple[str, Counts]]:
    """Yield the questions that were open when an import was given up or deleted."""
    superseded = Question.objects.filter(subject__in=subjects, state=State.SUPERSEDED)
    names = ("public_id", "subject", "kind", "field")
    questions = {name: rest for name, *rest in superseded.values_list(*names).iterator()}
    ended = Move.objects.filter(
        subject__in=questions, to_state=State.SUPERSEDED, reason=IMPORT_CANCELLED
    )
    for name in ended.values_list("subject", flat=True):
        subject, kind, field = questions[name]
        yield subject, Counts({f"{LEFT_OPEN}{kind}:{field}": 1})


def _edits(subjects: set[str]) -> Iterator[tuple[str, Counts]]:
    """Yield how many cells of each field people edited."""
    edits = CellEdit.objects.filter(subject__in=subjects).exclude(field="")
    grouped = edits.order_by().values_list("subject", "field").annotate(cells=Count("pk"))
    for subject, field, cells in grouped.iterator():
        yield subject, Counts({f"{EDITED}{field}": cells, f"{EDITED_IN}{field}": 1})


def add(days: Days) -> None:
    """Add counts to the stored ones, in one transaction."""
    days = {key: counts for key, counts in days.items() if counts}
    if not days:
        return
    with transaction.atomic():
        CatalogDay.objects.bulk_create(
            [CatalogDay(tenant=tenant, catalog=key, day=day) for tenant, key, day in days],
            ignore_conflicts=True,
        )
        # Day by day, in the order of their keys: processes that add at once wait in one order.
        for day in sorted({day for _, _, day in days}):
            _add_to(day, {key[:2]: counts for key, counts in days.items() if key[2] == day})


def _add_to(day: date, added: Mapping[tuple[str, str], Counts]) -> None:
    """Add the counts of a day, by tenant and catalog."""
    rows = CatalogDay.objects.select_for_update().filter(
        day=day,
        tenant__in={tenant for tenant, _ in added},
        catalog__in={catalog for _, catalog in added},
    )
    changed = [row for row in rows.order_by("pk") if (row.tenant, row.catalog) in added]
    for row in changed:
        whole = Counter(row.counts) + added[row.tenant, row.catalog]
        row.counts = capped(whole)
    CatalogDay.objects.bulk_update(changed, ["counts"])


def capped(counts: Counts) -> dict[str, int]:
    """
    Return the counts of steps, and those of the names that were seen most often.

    >>> capped(Counts({"reached:table": 1, "edited:a": 9, "edited_in:a": 2}))
    {'reached:table': 1, 'edited:a': 9, 'edited_in:a': 2}
    """
    kept = {name: number for name, number in counts.items() if name.startswith(WHOLE)}
    seen: Counter[tuple[tuple[str, ...], str]] = Counter()
    for name, number in counts.items():
        for together in TOGETHER:
            beginning = next((item for item in together if name.startswith(item)), None)
            if beginning is not None:
                weight = number if beginning in {together[0], LEFT_OPEN} else 0
                seen[together, name.removeprefix(beginning)] += weight
    for (together, name), _ in seen.most_common(MOST_NAMES):
        kept |= {f"{item}{name}": counts[f"{item}{name}"] for item in together}
    return {name: kept[name] for name in counts if name in kept}

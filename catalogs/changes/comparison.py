"""
Compare two catalogs by the keys of their entries and fields, in any order.

Writing out a default value is not a change, and neither is a member without a value.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from catalogs.changes import verdicts
from catalogs.changes.verdicts import CLASSES, Class, Verdict
from tabular.model.catalog import Catalog, Entry, Field
from tabular.model.catalog_findings import pointer_of
from tabular.model.i_json import Noun

Json = dict[str, Any]
Kind = Literal["added", "removed", "changed", "moved"]
POSITION = "position"
IDENTITY = frozenset({"key", "id", "version", "entries", "fields"})
FLAGS = (
    *("required", "isMultiSelect", "allowCustomOptions", "hidden", "disabled", "readOnly"),
    "caseInsensitive",
)
TEXTS = ("label", "description", "example", "errorMessage")
LISTS = ("aliases", "alternativeMatches", "validations", "dropdownOptions", "valueDetectors")
BY_DEFAULT: dict[str, Any] = {  # the meaning of absent members
    **dict.fromkeys(FLAGS, False),
    **dict.fromkeys(TEXTS, ""),
    **{name: [] for name in LISTS},
    "scope": "row",
    "optionMappingMode": "smart",
    "onKnown": "overwrite",
    "severity": "error",
}
BY_FIELD = frozenset({"columnValues", "validate"})  # whose members are keyed by fields
MOVED = Verdict("compatible", "Only the order changes.")


@dataclass(frozen=True, slots=True)
class Subject:
    """What a change is about; without an entity it is the catalog itself."""

    entity: str | None
    field: str | None
    label: str


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. ``pointer`` points into the new catalog; for a removal, into the old one."""

    pointer: str
    kind: Kind
    subject: Subject
    property: str | None  # a member; None: the whole field or entry
    before: Any
    after: Any
    verdict: Verdict


def compare(old: Catalog, new: Catalog) -> tuple[Change, ...]:
    """
    Return the differences of ``new`` from ``old``: of the catalog, its entries, their fields.

    Both are catalogs that can be published, so that no key occurs twice.
    """
    return tuple(_of_catalog(old, new))


def counted(changes: Sequence[Change]) -> dict[Class, int]:
    """Return the number of changes of each class, including classes without any."""
    counts = Counter(change.verdict.judged for change in changes)
    return {judged: counts[judged] for judged in CLASSES}


def _of_catalog(old: Catalog, new: Catalog) -> Iterator[Change]:
    about = Subject(None, None, new.title or new.key)
    for member, before, after in _differing(members_of(old), members_of(new)):
        verdict = verdicts.of_catalog(member)
        yield _changed((member,), about, member, before, after, verdict)
    former = {entry.id: (at, entry) for at, entry in enumerate(old.entries)}
    present = {entry.id: (at, entry) for at, entry in enumerate(new.entries)}
    for key, (at, entry) in former.items():
        if key not in present:
            verdict = verdicts.of_entry(entry, is_new=False)
            yield _whole("removed", ("entries", at), _subject(entry), members_of(entry), verdict)
    moved = _moved(list(former), list(present))
    for key, (at, entry) in present.items():
        if key not in former:
            verdict = verdicts.of_entry(entry, is_new=True)
            yield _whole("added", ("entries", at), _subject(entry), members_of(entry), verdict)
            continue
        if key in moved:
            yield _move(("entries", at), _subject(entry), former[key][0], at)
        yield from _of_entry(*former[key], at, entry)


def _of_entry(was_at: int, old: Entry, at: int, new: Entry) -> Iterator[Change]:
    place: tuple[str | int, ...] = ("entries", at)
    for member, before, after in _differing(members_of(old), members_of(new)):
        verdict = verdicts.of_entry_member(member)
        yield _changed((*place, member), _subject(new), member, before, after, verdict)
    former = {field.key: (n, field) for n, field in enumerate(old.fields)}
    present = {field.key: (n, field) for n, field in enumerate(new.fields)}
    for key, (n, field) in former.items():
        if key not in present:
            removed = ("entries", was_at, "fields", n)
            verdict = verdicts.of_field(field, is_new=False)
            yield _whole("removed", removed, _subject(old, field), members_of(field), verdict)
    moved = _moved(list(former), list(present))
    for key, (n, field) in present.items():
        here, about = (*place, "fields", n), _subject(new, field)
        if key not in former:
            yield _whole(
                "added", here, about, members_of(field), verdicts.of_field(field, is_new=True)
            )
            continue
        if key in moved:
            yield _move(here, about, former[key][0], n)
        yield from _of_field(former[key][1], field, here, about)


def _of_field(
    old: Field, new: Field, place: tuple[str | int, ...], about: Subject
) -> Iterator[Change]:
    before, after = members_of(old), members_of(new)
    for member, was, now in _differing(before, after):
        verdict = verdicts.of_member(member, was, now, old=before, new=after)
        yield _changed((*place, member), about, member, was, now, verdict)


def members_of(noun: Noun) -> Json:
    """Return the members with a value, without those that identify or contain others."""
    whole = noun.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {name: item for name, item in _telling(whole).items() if name not in IDENTITY}


def _telling(value: Any) -> Any:
    if isinstance(value, list):
        return [_telling(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: item if name in BY_FIELD else _telling(item)
        for name, item in value.items()
        if BY_DEFAULT.get(name) != item
    }


def _differing(before: Json, after: Json) -> Iterator[tuple[str, Any, Any]]:
    for name in dict.fromkeys([*before, *after]):
        if not _same(before.get(name), after.get(name)):
            yield name, before.get(name), after.get(name)


def _same(first: Any, other: Any) -> bool:
    """Compare as JSON does: true differs from 1, unlike in Python; 1.0 equals 1."""
    if isinstance(first, bool) or isinstance(other, bool):
        return first is other
    if isinstance(first, dict) and isinstance(other, dict):
        return first.keys() == other.keys() and all(
            _same(first[name], other[name]) for name in first
        )
    if isinstance(first, list) and isinstance(other, list):
        return len(first) == len(other) and all(map(_same, first, other))
    return bool(first == other)


def _moved(before: list[str], after: list[str]) -> frozenset[str]:
    """Return the fewest keys to move from one order to the other: all but a longest ascent."""
    place = {key: at for at, key in enumerate(before)}
    common = [key for key in after if key in place]
    ends: list[int] = []  # the smallest last position of an ascent of each length
    by_length: list[str] = []
    previous: dict[str, str | None] = {}
    for key in common:
        length = bisect_left(ends, place[key])
        ends[length : length + 1] = [place[key]]
        by_length[length : length + 1] = [key]
        previous[key] = by_length[length - 1] if length else None
    staying, here = set(), by_length[-1] if by_length else None
    while here is not None:
        staying.add(here)
        here = previous[here]
    return frozenset(common) - staying


def _subject(entry: Entry, field: Field | None = None) -> Subject:
    if field is None:
        return Subject(entry.id, None, entry.label or entry.id)
    return Subject(entry.id, field.key, field.label or field.key)


def _whole(
    kind: Kind, place: Sequence[str | int], about: Subject, what: Json, verdict: Verdict
) -> Change:
    before, after = (what, None) if kind == "removed" else (None, what)
    return Change(pointer_of(place), kind, about, None, before, after, verdict)


def _changed(
    place: Sequence[str | int],
    about: Subject,
    member: str,
    before: Any,
    after: Any,
    verdict: Verdict,
) -> Change:
    return Change(pointer_of(place), "changed", about, member, before, after, verdict)


def _move(place: Sequence[str | int], about: Subject, before: int, after: int) -> Change:
    return Change(pointer_of(place), "moved", about, POSITION, before + 1, after + 1, MOVED)

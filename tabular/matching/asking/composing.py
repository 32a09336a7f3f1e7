"""Columns that hold two fields, and columns that together make one field."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tabular.matching.comparing import compare
from tabular.matching.evidence import Evidence
from tabular.vocabulary.meaning import Meaning
from tabular.vocabulary.names import Named, languages_of, read_column

SETTLED = 0.9  # a header that fits one field this well names one field
PART = 0.85  # how well each part of a header must fit its field
WHOLE = 0.6  # how well parts of a name must fit the whole name, apart from the parts
JOINT = re.compile(r"\s*(?:/|,|&|\+|\||;|\bund\b|\band\b|\bet\b|\by\b|\be\b|\ben\b|\bi\b)\s*", re.I)
WEAK = 0.7  # a column that fits the whole name no better is replaced by its parts
MIXED = 0.6  # share of values with more than one word
PARTY_WORDS = frozenset({"person", "contact", "customer", "full", "primary", "guest", "tenant"})


def splits(evidence: Evidence, chosen: dict[int, int]) -> Iterator[tuple[int, list[int]]]:
    """Yield columns such as "PLZ/Ort" whose parts are free fields."""
    taken = {field: column for column, field in chosen.items()}
    spoken = languages_of(evidence.columns)
    for column, text in enumerate(evidence.columns):
        parts = _parts_of(text, column, evidence, chosen, spoken)
        values = evidence.profiles[column].values
        mixed = sum(len(value.split()) > 1 for value in values)
        if len(parts) != 2 or not values or mixed < MIXED * len(values):
            continue
        name = _with_other_name(evidence, parts, spoken)
        free = [f for f in name if f is not None and taken.get(f, column) == column]
        if len(set(free)) == 2:
            yield column, free


def _with_other_name(
    evidence: Evidence, parts: list[str], spoken: tuple[str, ...]
) -> list[int | None]:
    """Return each part's field. A bare "Name" next to a given name is the family name."""
    fields = [_best_field(evidence, part, spoken) for part in parts]
    known = [field for field in fields if field is not None]
    bare = [place for place, part in enumerate(parts) if _is_bare_name(part, spoken)]
    names = _name_fields(evidence, known)
    if len(bare) == 1 and len(names) == 1:
        (mine,) = names
        wanted = {"first": "last", "last": "first"}[names[mine]]
        others = [f for f, named in enumerate(evidence.fields) if _is_part(named, wanted)]
        fields[bare[0]] = others[0] if len(others) == 1 else fields[bare[0]]
    return fields


def _is_bare_name(part: str, spoken: tuple[str, ...]) -> bool:
    return any(m.head == "name" and not m.qualifiers for m in read_column(part, spoken).meanings)


def _name_fields(evidence: Evidence, fields: Iterable[int]) -> dict[int, str]:
    """Return the fields for a given or a family name, each with which of the two it is."""
    return {
        field: part
        for field in fields
        for meaning in evidence.fields[field].meanings[:1]
        for part in ("first", "last")
        if part in meaning.qualifiers
    }


def _is_part(named: Named, part: str) -> bool:
    return any(part in meaning.qualifiers for meaning in named.meanings[:1])


def _names_two(words: list[str], spoken: tuple[str, ...]) -> bool:
    """Return whether a header has two names in two words: "Vorname Name", not "First Name"."""
    are_names = [
        any(m.head == "name" and m.is_head_stated for m in read_column(word, spoken).meanings)
        for word in words
    ]
    return all(are_names) and any(_is_bare_name(word, spoken) for word in words)


def in_order(evidence: Evidence, column: int, fields: Sequence[int]) -> list[int]:
    """
    Return the fields that a column holds in the order of its values.

    The order of the header counts. Names with a comma that the header lacks have the family name
    first, other names the given name first.
    """
    values = evidence.profiles[column].values
    commas = sum("," in value for value in values) * 2 > len(values)
    header = evidence.columns[column]
    names = {part: field for field, part in _name_fields(evidence, fields).items()}
    if len(names) == 2 == len(fields):
        inverted = [names["last"], names["first"]]
        if commas and "," not in header:
            return inverted
        fallback = inverted if commas else [names["first"], names["last"]]
    else:
        fallback = list(fields)
    spoken = languages_of(evidence.columns)
    composed = _with_other_name(evidence, _parts_of(header, column, evidence, {}, spoken), spoken)
    ordered = [field for field in composed if field is not None and field in fields]
    return ordered if sorted(ordered) == sorted(fields) else fallback


def whole_names(evidence: Evidence, chosen: dict[int, int]) -> Iterator[tuple[int, list[int]]]:
    """Yield the only column of whole names where only first and last name are free fields."""
    parts = {
        field
        for field, named in enumerate(evidence.fields)
        if any({"first", "last"} & m.qualifiers for m in named.meanings[:1])
    }
    columns = [
        column
        for column, named in enumerate(evidence.named)
        if chosen.get(column, min(parts, default=None)) in parts
        and evidence.profiles[column].share("person") >= MIXED
        and any(m.head == "name" and m.qualifiers <= PARTY_WORDS for m in named.meanings)
    ]
    others = {column: field for column, field in chosen.items() if column not in columns}
    firsts, lasts = (_free_parts(evidence, part, others) for part in ("first", "last"))
    if len(columns) == len(firsts) == len(lasts) == 1:
        yield columns[0], [*firsts, *lasts]


def _free_parts(evidence: Evidence, part: str, chosen: dict[int, int]) -> list[int]:
    taken = set(chosen.values())
    return [
        field
        for field, named in enumerate(evidence.fields)
        if field not in taken and any(part in m.qualifiers for m in named.meanings[:1])
    ]


def _parts_of(
    text: str,
    column: int,
    evidence: Evidence,
    chosen: dict[int, int],
    spoken: tuple[str, ...],
) -> list[str]:
    """Split a header at its separator, or between two words that fit no field together."""
    parts = [part for part in JOINT.split(text) if part]
    words = text.split()
    fits = column in chosen and evidence.fits[column, chosen[column]].score > SETTLED
    fits = fits and not (len(words) == 2 and _names_two(words, spoken))
    return words if len(parts) == 1 and len(words) == 2 and not fits else parts


def _best_field(evidence: Evidence, part: str, spoken: tuple[str, ...]) -> int | None:
    named = read_column(part, spoken)
    best, place = 0.0, None
    for field, theirs in enumerate(evidence.fields):
        context = evidence.contexts[field]
        score = 1.0 if named.keys & theirs.keys else 0.0
        for mine in named.meanings:
            for reading in theirs.meanings:
                score = max(score, compare(mine, reading, context))
        if score > best:
            best, place = score, field
    return place if best >= PART else None


def joins(evidence: Evidence, chosen: dict[int, int]) -> Iterator[tuple[list[int], int]]:
    """Yield unassigned given and family name columns, with a field for the whole name."""
    holders = {field: column for column, field in chosen.items()}
    for field, named in enumerate(evidence.fields):
        whole = [m for m in named.meanings if m.head == "name" and not _part(m.qualifiers)]
        if not whole or _part_fields(evidence, field):
            continue
        holder = holders.get(field)
        firsts = _parts(evidence, "first", field, chosen)
        lasts = _parts(evidence, "last", field, chosen)
        if not firsts or not lasts:
            continue
        if holder not in {None, firsts[0], lasts[0]} and evidence.fits[holder, field].score > WEAK:
            continue
        yield [firsts[0], lasts[0]], field


def _part(qualifiers: frozenset[str]) -> bool:
    return bool(qualifiers & {"first", "last", "middle", "maiden"})


def _part_fields(evidence: Evidence, field: int) -> bool:
    """Return whether a field is itself a part of a name."""
    return any(_part(meaning.qualifiers) for meaning in evidence.fields[field].meanings[:1])


def _parts(evidence: Evidence, part: str, field: int, chosen: dict[int, int]) -> list[int]:
    """Return the unassigned columns with a part of the field's name, best first."""
    parts = []
    for column, named in enumerate(evidence.named):
        if chosen.get(column, field) != field or evidence.profiles[column].is_empty:
            continue
        best = max((_as_whole(evidence, m, part, field) for m in named.meanings), default=0.0)
        if best >= WHOLE:
            parts.append((-best, column))
    return [column for _, column in sorted(parts)]


def _as_whole(evidence: Evidence, meaning: Meaning, part: str, field: int) -> float:
    if part not in meaning.qualifiers:
        return 0.0
    whole = replace(meaning, qualifiers=meaning.qualifiers - {part})
    context, readings = evidence.contexts[field], evidence.fields[field].meanings
    return max((compare(whole, theirs, context) for theirs in readings), default=0.0)

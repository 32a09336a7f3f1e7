"""Read a header again in the light of its values: "Name" of order #1001 is a number."""

from dataclasses import replace

from tabular.detecting import Profile
from tabular.matching.meaning import Meaning
from tabular.matching.reading_headers import Named

MOST = 0.6  # share of values that settles what a name or a title is
NEARLY_ALL = 0.9
INFERRED = 0.85  # weight of a reading that comes from the values
COUNTED = 0.9  # weight of an "id" that only counts, beside a number that people use
MACHINE = frozenset({"id", "identifiant", "identificador", "identificativo", "identyfikator"})
SERIAL_LENGTH = 8
PARTS = frozenset({"first", "last", "middle", "maiden"})
IDENTIFIERS = frozenset({"number", "id", "code"})


def reread(named: Named, profile: Profile) -> Named:
    """Drop the readings that the values rule out and add those they suggest."""
    if not named.meanings or profile.is_empty:
        return named
    readings = _readings(named.meanings, profile)
    if (
        len(named.words) > 1
        and MACHINE & set(named.words)
        and profile.share("integer") >= NEARLY_ALL
    ):
        readings = tuple(replace(m, weight=m.weight * COUNTED) for m in readings)
    return replace(named, meanings=readings)


def _readings(readings: tuple[Meaning, ...], profile: Profile) -> tuple[Meaning, ...]:
    if profile.share("honorific") >= MOST:
        return tuple(m for m in readings if m.head == "salutation")
    heads = {meaning.head for meaning in readings}
    if profile.share("gtin") >= NEARLY_ALL and heads & IDENTIFIERS:
        return (Meaning("gtin", weight=INFERRED),)
    if profile.share("person", "title") >= MOST:
        readings = _without_parts(readings)
    if profile.share("uuid") >= MOST:
        readings = tuple(_less_key(meaning) for meaning in readings)
    if not _is_code(profile):
        return readings
    bare = {meaning.head for meaning in readings if not meaning.qualifiers}
    if "name" in bare:
        readings = (*readings, Meaning("number", weight=INFERRED))
    if bare & IDENTIFIERS and _is_serial(profile):
        readings = (*readings, Meaning("serial", weight=INFERRED))
    return readings


def _without_parts(readings: tuple[Meaning, ...]) -> tuple[Meaning, ...]:
    """Drop "family name" where "Name" may be either and the values are whole names."""
    if not any(m.head == "name" and not m.qualifiers & PARTS for m in readings):
        return readings
    return tuple(m for m in readings if not m.qualifiers & PARTS)


def _less_key(meaning: Meaning) -> Meaning:
    """Weigh a machine's "id" less than a number that people use."""
    if meaning.head != "id" or meaning.qualifiers:
        return meaning
    return replace(meaning, weight=meaning.weight * INFERRED)


def _is_code(profile: Profile) -> bool:
    return profile.share("code") >= NEARLY_ALL <= profile.unique


def _is_serial(profile: Profile) -> bool:
    """Whether values look like a maker's serial numbers: long and mixed."""
    return profile.length >= SERIAL_LENGTH and profile.share("number", "date") < 1 - NEARLY_ALL

"""
Classify a change of a catalog by who is affected.

breaking: hosts receive something different. stricter: accepted values may be refused, or asked
about. compatible: neither. If it depends on a file, the worse class is chosen.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from catalogs.changes import options, rules
from tabular.model.amounts import currency_of_field
from tabular.model.catalog import Entry, Field
from tabular.model.sentences import Sentence

Json = Mapping[str, Any]
Class = Literal["compatible", "stricter", "breaking"]
CLASSES: tuple[Class, ...] = ("compatible", "stricter", "breaking")

WIDER: dict[str, frozenset[str]] = {  # types that accept every value of another, as the same value
    "date_iso": frozenset({"date", "date_dmy", "date_mdy"}),
    "time_hms_24": frozenset({"time_hms"}),
    "time_hm_24": frozenset({"time_hm"}),
    "url_https": frozenset({"url"}),
}


class Verdict(NamedTuple):
    """The class of a change, and the reason."""

    judged: Class
    sentence: str


NOTHING = Verdict("compatible", "Backward compatible: the same values are accepted and delivered.")
UNUSED = Verdict("compatible", "The field takes no part in imports, so nothing else changes.")
NARROWER = Verdict("stricter", "Values that were accepted may now be refused.")
OTHERWISE = Verdict("breaking", "Hosts receive different data than before.")
LOOSER = Verdict("compatible", "More values are accepted than before.")


def of_catalog(member: str) -> Verdict:
    """Classify a change of the catalog's own members."""
    if member == "keySeparator":
        return Verdict("breaking", "The path of every field changes.")
    if member == "region":
        return Verdict(
            "breaking",
            "Phone numbers without a country code are read as numbers of another country.",
        )
    if member == "secondPerson":
        return Verdict("compatible", "It changes who approves, and nothing about the values.")
    if member == "retentionDays":
        return Verdict("compatible", "It changes how long imports are kept, and no values.")
    return NOTHING


def of_entry(entry: Entry, *, is_new: bool) -> Verdict:
    """Classify an entry that was added or removed."""
    live = [field for field in entry.fields if not field.disabled]
    if not live:
        return NOTHING
    if not is_new:
        return Verdict("breaking", "Hosts no longer receive its fields.")
    if any(field.is_required for field in live):
        return Verdict("stricter", "It has required fields, which existing files may lack.")
    return NOTHING


def of_entry_member(member: str) -> Verdict:
    """Classify a change of an entry's own members."""
    if member == "fullSync":
        return Verdict("compatible", "It changes what a full sync may delete, and no values.")
    if member in ("childOf", "groupBy"):
        return Verdict("breaking", "Hosts receive rows nested in a different way.")
    if member == "allowCustomFields":
        return Verdict("compatible", "It changes which columns people may add, and no values.")
    return Verdict("compatible", "Only the names that people and files use change.")


def of_field(field: Field, *, is_new: bool) -> Verdict:
    """Classify a field that was added or removed."""
    if field.disabled:
        return UNUSED
    if not is_new:
        return Verdict("breaking", "Hosts no longer receive the field.")
    if field.is_required:
        return Verdict("stricter", "Every row needs a value, which existing files may lack.")
    return Verdict("compatible", "Files without it are accepted as before.")


def of_member(member: str, before: Any, after: Any, *, old: Json, new: Json) -> Verdict:
    """Classify a change of one member of a field; ``old`` and ``new`` are all of its members."""
    if member == "disabled":
        return _disabled(before, after, new)
    if old.get("disabled") and new.get("disabled"):
        return UNUSED
    judge = JUDGES.get(member)
    return NOTHING if judge is None else judge(before, after, new)


def _disabled(before: Any, after: Any, new: Json) -> Verdict:
    if after:
        return Verdict("breaking", "Hosts no longer receive the field.")
    if _demands(new):
        return Verdict("stricter", "Every row needs a value, which existing files may lack.")
    return Verdict("compatible", "Files without it are accepted as before.")


def _demands(field: Json) -> bool:
    named = {rule.get("validate") for rule in field.get("validations") or ()}
    return bool(field.get("required")) or "required" in named


def _type(before: str, after: str, field: Json) -> Verdict:
    if field.get("dropdownOptions") and not field.get("allowCustomOptions"):
        return Verdict("compatible", "Options are delivered, whatever the type.")
    if after in WIDER.get(before, ()):
        return LOOSER
    if before in WIDER.get(after, ()):
        return NARROWER
    return Verdict("breaking", "A different type reads and delivers values differently.")


def _narrowing(before: Any, after: Any, field: Json) -> Verdict:
    """Classify a member that refuses more when it is set, and less when it is removed."""
    return LOOSER if after is None else NARROWER


def _widening(before: Any, after: Any, field: Json) -> Verdict:
    """Classify a member that accepts more when it is set, and less when it is removed."""
    return NARROWER if after is None else LOOSER


def _size(before: int | None, after: int | None, field: Json) -> Verdict:
    is_lower = after is not None and (before is None or after < before)
    return NARROWER if is_lower else LOOSER


def _hidden(before: Any, after: Any, field: Json) -> Verdict:
    if not after:
        return NOTHING
    return Verdict("stricter", "Columns are no longer mapped to the field automatically.")


def _numbers(before: str | None, after: str | None, field: Json) -> Verdict:
    if before and after:
        return Verdict("breaking", "The same text is read as a different number.")
    return Verdict("stricter", "Numbers that were accepted may now be refused or raise a question.")


def _options(before: Any, after: Any, field: Json) -> Verdict:
    if before is None:
        plain = all(options.delivers_its_own_text(item) for item in after)
        return NARROWER if plain and field.get("columnType") in PLAIN else OTHERWISE
    if after is None:
        return OTHERWISE
    if lost := options.lost_values(before, after):
        return _lost(lost)
    if options.moves_a_name(before, after):
        return Verdict("breaking", "A text that meant one option now means another.")
    if options.lacks_a_name(before, after) or options.asks_more(before, after):
        return NARROWER
    return NOTHING


PLAIN = frozenset({"string", "category"})  # types that deliver text unchanged
MOST_NAMED, LONGEST_NAMED = 3, 40  # values in a sentence, and characters of each


def _lost(values: list[str]) -> Verdict:
    """Name values that hosts no longer receive."""
    shown = [value[:LONGEST_NAMED] for value in values]
    if len(shown) == 1:
        return Verdict(
            "breaking", Sentence("Hosts no longer receive the value “{value}”.", value=shown[0])
        )
    named = ", ".join(f"“{value}”" for value in shown[:MOST_NAMED])
    rest = ", .." if len(shown) > MOST_NAMED else ""  # a dot follows
    return Verdict(
        "breaking", Sentence("Hosts no longer receive the values {values}.", values=named + rest)
    )


def _rules(before: Any, after: Any, field: Json) -> Verdict:
    return NARROWER if rules.demand_more(before or [], after or []) else LOOSER


def _reference(before: Json | None, after: Json | None, field: Json) -> Verdict:
    if before is None:
        return Verdict(
            "stricter", "Values without a matching record may now be refused or raise a question."
        )
    if after is None or any(before.get(item) != after.get(item) for item in LINKING):
        return Verdict("breaking", "Hosts receive different links than before.")
    if before["onMissing"] != after["onMissing"]:
        return NARROWER if after["onMissing"] == "error" else OTHERWISE
    if set(before["matchOn"]) != set(after["matchOn"]):
        return Verdict("stricter", "Names are looked up elsewhere, so some may not be found.")
    return NARROWER if _finds_less(before.get("resolve"), after.get("resolve")) else LOOSER


LINKING = ("entity", "cardinality", "separator")
WAYS = ("exact", "fuzzy", "learned")


def _finds_less(before: Json | None, after: Json | None) -> bool:
    if before is None or after is None:
        return True  # the catalog does not show which of them finds less
    lost = any(before.get(way) and not after.get(way) for way in WAYS)
    return lost or after.get("minScore", 0) > before.get("minScore", 0)


def _always(verdict: Verdict) -> Callable[[Any, Any, Json], Verdict]:
    return lambda before, after, field: verdict


def _format(before: str | None, after: str | None, field: Json) -> Verdict:
    former, present = (_currency(item, field) for item in (before, after))
    if former == present:
        return Verdict("breaking", "Hosts receive values in a different format.")
    if former is None:
        return Verdict(
            "breaking",
            Sentence("Amounts in a currency other than {code} are refused.", code=present),
        )
    if present is None:
        return Verdict("breaking", Sentence("Amounts are no longer read as {code}.", code=former))
    return Verdict(
        "breaking",
        Sentence("Amounts are read as {code} instead of {former}.", code=present, former=former),
    )


def _currency(pattern: str | None, field: Json) -> str | None:
    """Return the currency of a field's amounts under an output format."""
    type_ = field.get("columnType", "string")
    return currency_of_field(Field(key="it", column_type=type_, output_format=pattern))


JUDGES: dict[str, Callable[[Any, Any, Json], Verdict]] = {
    "columnType": _type,
    "required": _narrowing,
    "columnSize": _size,
    "validations": _rules,
    "dropdownOptions": _options,
    "reference": _reference,
    "isMultiSelect": _always(
        Verdict("breaking", "Hosts receive a list instead of a value, or vice versa.")
    ),
    "outputFormat": _format,
    "numberFormat": _numbers,
    "allowCustomOptions": _widening,
    "optionMappingMode": _narrowing,
    "hidden": _hidden,
    "readOnly": _always(
        Verdict("compatible", "It changes who may edit the values, and not what is delivered.")
    ),
    "scope": _always(OTHERWISE),
    "onKnown": _always(OTHERWISE),
    "emptyCells": _always(OTHERWISE),
}

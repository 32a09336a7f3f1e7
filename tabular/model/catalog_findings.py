"""Check a catalog against the field model, each finding at its JSON pointer (RFC 6901)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tabular.model import i_json
from tabular.model.catalog import Catalog
from tabular.model.i_json import escaped
from tabular.model.issue import Severity

MAX_FINDINGS = 500  # a person reads the first ones; the rest is memory
WRONG_TYPES = {
    "string_type": "text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "tuple_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}
SENTENCES = {
    "missing": ("missing_member", "This member is required."),
    "extra_forbidden": ("unknown_member", "There is no member of this name here."),
    "string_too_short": ("too_short", "This must have at least {min_length} character(s)."),
    "too_short": ("too_short", "This list needs at least {min_length} item(s)."),
    "string_pattern_mismatch": ("invalid_value", "This must match the pattern {pattern}."),
    "string_too_long": ("too_long", "This may have at most {max_length} characters."),
    "literal_error": ("unknown_value", "This must be one of {expected}."),
    "union_tag_invalid": ("unknown_value", "{discriminator} must be one of {expected_tags}."),
    "union_tag_not_found": ("missing_member", "The member {discriminator} is required."),
    "greater_than": ("out_of_range", "This must be greater than {gt}."),
    "greater_than_equal": ("out_of_range", "This must be at least {ge}."),
    "less_than": ("out_of_range", "This must be less than {lt}."),
    "less_than_equal": ("out_of_range", "This must be at most {le}."),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a catalog, and where."""

    pointer: str  # RFC 6901; "" is the whole document
    code: str
    sentence: str
    severity: Severity = "error"  # a warning keeps nothing from being published


def is_blocking(finding: Finding) -> bool:
    """Whether a finding keeps a catalog from being published."""
    return finding.severity == "error"


def check_catalog(text: str | bytes) -> Catalog | tuple[Finding, ...]:
    """
    Give the catalog a JSON text holds, or what keeps it from being one (the first 500 findings).

    >>> [finding.pointer for finding in check_catalog('{"key": "people", "entries": [{}]}')]
    ['/entries/0/id']
    """
    try:
        document = i_json.read(text)
    except i_json.NotIJson as error:
        return (Finding("", "malformed_json", error.sentence),)
    try:
        catalog = Catalog.model_validate_json(i_json.write(document), by_alias=True, by_name=False)
    except ValidationError as error:
        return model_findings(document, error.errors(include_url=False))[:MAX_FINDINGS]
    return tuple(islice(double_findings(catalog), MAX_FINDINGS)) or catalog


def pointer_of(parts: Sequence[str | int]) -> str:
    """
    Write the steps into a document as a JSON pointer.

    >>> pointer_of(["columnValues", "and/or", 0])
    '/columnValues/and~1or/0'
    """
    return "".join(f"/{escaped(part)}" for part in parts)


def model_findings(document: Any, errors: Sequence[ErrorDetails]) -> tuple[Finding, ...]:
    """Translate pydantic's errors; the alternatives of a union become one finding."""
    found: list[Finding] = []
    expected: dict[str, dict[str, None]] = defaultdict(dict)  # pointer to the types it may have
    for error in errors:
        pointer = pointer_of(_walk(document, error))
        if wanted := WRONG_TYPES.get(error["type"]):
            expected[pointer][wanted] = None
            found.append(Finding(pointer, "wrong_type", ""))
        else:
            found.append(_finding(pointer, error))
    pointers = {finding.pointer for finding in found}
    settled = (
        Finding(f.pointer, f.code, f"This must be {_any_of(tuple(expected[f.pointer]))}.")
        if f.code == "wrong_type"
        else f
        for f in found
        # Below a value of the wrong type nothing is looked at, so a finding there says that a
        # union took another branch further, and that branch is what the author meant.
        if f.code != "wrong_type" or not any(p.startswith(f"{f.pointer}/") for p in pointers)
    )
    return tuple(dict.fromkeys(settled))


def double_findings(catalog: Catalog) -> Iterator[Finding]:
    """Find two fields that a row could not tell apart."""
    entry_ids: dict[str, int] = {}
    paths: dict[str, str] = {}
    for e, entry in enumerate(catalog.entries):
        if (first := entry_ids.setdefault(entry.id, e)) != e:
            sentence = f"Entry {first + 1} has the id {entry.id!r} too; ids are unique."
            yield Finding(f"/entries/{e}/id", "duplicate_entry", sentence)
            continue
        for f, field in enumerate(entry.fields):
            path = f"{entry.id}{catalog.key_separator}{field.key}"
            pointer = f"/entries/{e}/fields/{f}"
            if (other := paths.setdefault(path, pointer)) != pointer:
                sentence = f"The field at {other} has the path {path!r} too; paths are unique."
                yield Finding(f"{pointer}/key", "duplicate_field", sentence)


def _walk(document: Any, error: ErrorDetails) -> list[str | int]:
    """Follow pydantic's ``loc`` through the document; what is not there is a union's tag."""
    steps: list[str | int] = []
    here = document
    for part in error["loc"]:
        if _leads_on(here, part):
            here = here[part]
            steps.append(part)
    if error["type"] == "missing":
        steps.append(error["loc"][-1])
    return steps


def _leads_on(here: Any, part: str | int) -> bool:
    if isinstance(part, int):
        return isinstance(here, list) and part < len(here)
    return isinstance(here, dict) and part in here


def _finding(pointer: str, error: ErrorDetails) -> Finding:
    code, sentence = SENTENCES.get(error["type"], ("invalid_value", ""))
    context = {name: str(value).replace("'", "") for name, value in error.get("ctx", {}).items()}
    return Finding(pointer, code, sentence.format(**context) or f"{error['msg']}.")


def _any_of(choices: tuple[str, ...]) -> str:
    *others, last = choices
    return f"{', '.join(others)} or {last}" if others else last

"""Check a catalog against the field model, each finding at its JSON pointer (RFC 6901)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from tabular.model import i_json
from tabular.model.catalog import Catalog
from tabular.model.i_json import escaped
from tabular.model.issue import Severity
from tabular.model.sentences import Sentence, about

MAX_FINDINGS = 500  # a person reads the first ones; the rest is memory
T = TypeVar("T", bound=BaseModel)
MAX_ERRORS = 4 * MAX_FINDINGS  # of the model, which reports one for each type of a union
WRONG_TYPES = {
    "string_type": "text",
    "bool_parsing": "true or false",
    "int_parsing": "a whole number",
    "float_parsing": "a number",
    "finite_number": "a number",
    "list_type": "a list",
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
    "missing": ("missing_member", "{member} is required."),
    "extra_forbidden": ("unknown_member", "{member} is not a known member."),
    "string_too_short": ("too_short", "{member} must have at least {n1} characters."),
    "too_short": ("too_short", "{member} needs at least {n1} items."),
    "string_pattern_mismatch": ("invalid_value", "{member} must match the pattern {pattern}."),
    "string_too_long": ("too_long", "{member} can have at most {n1} characters."),
    "too_long": ("too_long", "{member} can have at most {n1} items."),
    "int_parsing_size": ("out_of_range", "{member} is too large."),
    "literal_error": ("unknown_value", "{member} must be one of {expected}."),
    "union_tag_invalid": ("unknown_value", "{name} must be one of {expected}."),
    "union_tag_not_found": ("missing_member", "The member {name} is required."),
    "greater_than": ("out_of_range", "{member} must be greater than {n1}."),
    "greater_than_equal": ("out_of_range", "{member} must be at least {n1}."),
    "less_than": ("out_of_range", "{member} must be less than {n1}."),
    "less_than_equal": ("out_of_range", "{member} must be at most {n1}."),
}
PLACES = {  # of pydantic's values in these templates
    **dict.fromkeys(("min_length", "max_length", "gt", "ge", "lt", "le"), "n1"),
    "discriminator": "name",
    "expected_tags": "expected",
}
NOT_LOOKED_AT = {"wrong_type", "too_short"}
EMPTY = {  # where at least one item is required
    "string_too_short": "{member} must not be empty.",
    "too_short": "{member} needs at least one item.",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a catalog, and where."""

    pointer: str  # RFC 6901; "" is the whole document
    code: str
    sentence: str
    severity: Severity = "error"  # a warning does not prevent publishing


def is_blocking(finding: Finding) -> bool:
    """Return whether a finding prevents a catalog from being published."""
    return finding.severity == "error"


def check_catalog(text: str | bytes) -> Catalog | tuple[Finding, ...]:
    """
    Return the catalog in a JSON text, or the first 500 findings that make it invalid.

    >>> [finding.pointer for finding in check_catalog('{"key": "people", "entries": [{}]}')]
    ['/entries/0/id']
    """
    try:
        document = i_json.read(text)
    except i_json.NotIJson as error:
        return (Finding("", "malformed_json", error.sentence),)
    return check_document(document)


def check_document(document: Any) -> Catalog | tuple[Finding, ...]:
    """Return the catalog in a parsed JSON document, or the first 500 findings against it."""
    try:
        catalog = validated(Catalog, document)
    except ValidationError as error:
        return model_findings(document, first_errors(error))[:MAX_FINDINGS]
    return tuple(islice(double_findings(catalog), MAX_FINDINGS)) or catalog


def pointer_of(parts: Sequence[str | int]) -> str:
    """
    Return the steps into a document as a JSON pointer.

    >>> pointer_of(["columnValues", "and/or", 0])
    '/columnValues/and~1or/0'
    """
    return "".join(f"/{escaped(part)}" for part in parts)


def validated(model: type[T], document: Any) -> T:
    """
    Validate a strict JSON document as a model. Raise pydantic's ValidationError.

    The beginnings of long lists and objects come first: pydantic does not stop at invalid items,
    and each of them costs time.
    """
    if _is_long(document):
        start = i_json.write(_beginning(document))
        model.model_validate_json(start, by_alias=True, by_name=False)
    return model.model_validate_json(i_json.write(document), by_alias=True, by_name=False)


def _is_long(value: Any) -> bool:
    """Return whether a list or object in a document has more items than its beginning."""
    waiting = [value] if isinstance(value, dict | list) else []
    while waiting:
        part = waiting.pop()
        if len(part) > MAX_FINDINGS:
            return True
        items = part.values() if isinstance(part, dict) else part
        waiting += [item for item in items if isinstance(item, dict | list)]
    return False


def _beginning(value: Any) -> Any:
    match value:
        case dict():
            members = islice(value.items(), MAX_FINDINGS)
            return {name: _beginning(member) for name, member in members}
        case list():
            return [_beginning(item) for item in value[:MAX_FINDINGS]]
    return value


def first_errors(error: ValidationError) -> list[ErrorDetails]:
    """Return pydantic's first errors, without the input."""
    return error.errors(include_url=False, include_input=False)[:MAX_ERRORS]


def model_findings(document: Any, errors: Sequence[ErrorDetails]) -> tuple[Finding, ...]:
    """Return findings for pydantic's first errors; a union's alternatives become one finding."""
    findings: list[Finding] = []
    expected: dict[str, dict[str, None]] = defaultdict(dict)  # pointer to the types it may have
    for error in errors:
        pointer = pointer_of(_walk(document, error))
        if wanted := WRONG_TYPES.get(error["type"]):
            expected[pointer][wanted] = None
            findings.append(Finding(pointer, "wrong_type", ""))
        else:
            findings.append(_finding(pointer, error))
    leading = {above for finding in findings for above in _above(finding.pointer)}
    worded = (
        Finding(
            f.pointer,
            f.code,
            _wrong_type(f.pointer, tuple(expected[f.pointer])),
        )
        if f.code == "wrong_type"
        else f
        for f in findings
        # Nothing below a value of the wrong type is validated, so a finding there means that
        # another branch of a union got further, and the author meant that branch.
        # Invalid items of a list do not count, so the list may also be reported as too short.
        if f.code not in NOT_LOOKED_AT or f.pointer not in leading
    )
    return tuple(dict.fromkeys(worded))


def _above(pointer: str) -> Iterator[str]:
    while pointer:
        pointer = pointer.rpartition("/")[0]
        yield pointer


def double_findings(catalog: Catalog) -> Iterator[Finding]:
    """Yield findings about fields that a row could not tell apart."""
    entry_ids: dict[str, int] = {}
    paths: dict[str, str] = {}
    for e, entry in enumerate(catalog.entries):
        if (first := entry_ids.setdefault(entry.id, e)) != e:
            sentence = Sentence(
                "Entry {n1} already has the id {id}. Ids must be unique.",
                n1=str(first + 1),
                id=repr(entry.id),
            )
            yield Finding(f"/entries/{e}/id", "duplicate_entry", sentence)
            continue
        for f, field in enumerate(entry.fields):
            path = f"{entry.id}{catalog.key_separator}{field.key}"
            pointer = f"/entries/{e}/fields/{f}"
            if (other := paths.setdefault(path, pointer)) != pointer:
                sentence = Sentence(
                    "The field at {place} already has the path {path}. Paths must be unique.",
                    place=other,
                    path=repr(path),
                )
                yield Finding(f"{pointer}/key", "duplicate_field", sentence)


def _walk(document: Any, error: ErrorDetails) -> list[str | int]:
    """Follow pydantic's ``loc`` through the document, skipping the tags of unions."""
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
    kind, error_context = error["type"], error.get("ctx", {})
    if error_context.get("min_length") == 1:
        sentence = EMPTY[kind]
        return Finding(pointer, SENTENCES[kind][0], about(sentence, pointer))
    if kind == "value_error":
        return Finding(pointer, "invalid_value", about(_raised(error_context["error"]), pointer))
    code, template = SENTENCES.get(kind, ("invalid_value", f"{error['msg']}."))
    values = {PLACES.get(n, n): str(value).replace("'", "") for n, value in error_context.items()}
    return Finding(pointer, code, about(Sentence(template, **values), pointer))


def _raised(error: Exception) -> str:
    """Return the message of a validator."""
    message: str = error.args[0]
    if isinstance(message, Sentence):
        return message
    return message.replace("'", "")


def _wrong_type(pointer: str, expected: tuple[str, ...]) -> str:
    if pointer:
        return about("{member} must be " + _any_of(expected) + ".", pointer)
    return Sentence("This must be {A}.", A=_any_of(expected))


def _any_of(choices: tuple[str, ...]) -> str:
    *others, last = choices
    return f"{', '.join(others)} or {last}" if others else last

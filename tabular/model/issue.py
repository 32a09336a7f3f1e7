"""
Findings about a user's data, never exceptions: an issue, or a question instead of a guess.

The codes of issues are public and never change. The English messages are here; other languages are
gettext catalogues, see ``sentences``. A message may use the params of its issue by name.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as field_
from typing import Any, Literal

from tabular.model.sentences import Sentence, Text, listed, translated_template

Severity = Literal["error", "warning"]
QuestionKind = Literal[
    "table",
    "header_row",
    "encoding",
    "joined_lines",  # of a PDF: the end of the row above, or rows of their own
    "recognised_text",  # of a picture: a person has to compare it
    "column",  # one column, several fields
    "columns",  # several columns, one field
    "unpivot",  # one measure spread over columns
    "groups",  # children in numbered columns, or parents in the first line only
    "required_field",  # no column feeds it
    "date_order",
    "decimal_separator",
    "percent_scale",
    "region",  # of phone numbers without a country
    "category_value",
    "reference",
    "drift",  # of a feed's file: whether what differs from its predecessors is right
]


@dataclass(frozen=True, slots=True)
class Issue:
    """What is wrong, where, and what would be accepted."""

    code: str
    severity: Severity = "error"
    row: int | None = None  # row of the recipe's output, or physical row while reading
    column: str | None = None  # source column
    field: str | None = None  # field path
    message: Text = ""
    value: str | None = None
    hint: Text = ""
    params: Mapping[str, Any] = field_(default_factory=dict)  # the parameters of the message


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible answer, how likely it is, and its effect."""

    value: Any  # JSON: a field path, a table index, "dmy"...
    label: Text
    score: float | None = None  # 0 to 100
    effect: Text = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision for a user or an agent."""

    kind: QuestionKind
    columns: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    evidence: tuple[Text, ...] = ()
    default: Any = None
    blocking: bool = False
    field: str | None = None  # the field path that it concerns, if any
    decided: bool = False  # the file decides for the default: it is shown, not asked


@dataclass(frozen=True, slots=True, kw_only=True)
class NewQuestion(Question):
    """A question as asked by a step, with the fingerprint that identifies it in the ledger."""

    fingerprint: str


SENTENCES: dict[str, tuple[str, str]] = {
    # code: (what is wrong, what would be accepted)
    "not_a_whole_number": ("“{value}” is not a whole number.", "Digits only, for example 42."),
    "out_of_range": ("{value} is too large.", "Whole numbers of up to 18 digits."),
    "not_a_number": ("“{value}” is not a number.", "For example 1234.56."),
    "not_a_percentage": ("“{value}” is not a percentage.", "For example 12.5 %."),
    "not_an_amount": ("“{value}” is not an amount.", "For example 1234.56, at most four decimals."),
    "other_currency": ("“{value}” is in another currency.", "Amounts in the field's own currency."),
    "more_decimals": (
        "“{value}” has more decimals than {currency} has.",
        "At most {decimals} decimals in {currency}.",
    ),
    "not_a_boolean": (
        "“{value}” is neither yes nor no.",
        "For example yes, no, true, false, 1, 0.",
    ),
    "not_a_date": ("“{value}” is not a date.", "For example 2024-01-31; the day must exist."),
    "time_dropped": ("The time in “{value}” was dropped.", "A date without a time."),
    "not_a_datetime": (
        "“{value}” is not a date with a time.",
        "For example 2024-01-31T13:05:00 or 31.01.2024 13:05.",
    ),
    "not_a_time": ("“{value}” is not a time of day.", "For example 13:05."),
    "time_shortened": (
        "“{value}” is more precise than the field.",
        "A time no more precise than the field.",
    ),
    "not_an_email": ("“{value}” is not an e-mail address.", "For example name@example.com."),
    "not_a_url": ("“{value}” is not a web address.", "For example https://example.com/page."),
    "not_a_www_url": ("“{value}” is not a www address.", "For example www.example.com/page."),
    "not_an_https_url": ("“{value}” is not a secure web address.", "It must begin with https://."),
    "scheme_added": ("“{value}” was completed with https://.", "For example https://example.com."),
    "not_a_phone_number": (
        "“{value}” is not a valid phone number.",
        "Add the country code, for example +49 30 123456.",
    ),
    "region_assumed": (
        "“{value}” was read with the default country code.",
        "Add the country code, for example +49 30 123456.",
    ),
    "short_phone_number": (
        "“{value}” is very short for a phone number.",
        "A complete number, for example +49 30 123456.",
    ),
    "extension_dropped": (
        "The extension of “{value}” was dropped.",
        "A number without an extension.",
    ),
    "not_an_iban": (
        "“{value}” is not an IBAN.",
        "Two letters, two digits, then the account number.",
    ),
    "iban_check_digits": ("The check digits of “{value}” are wrong.", "Check for typing errors."),
    "not_a_bic": ("“{value}” is not a BIC.", "8 or 11 characters, for example DEUTDEFF."),
    "not_an_eu_vat_number": (
        "“{value}” is not a valid EU VAT number.",
        "Start with the country code, for example DE136695976.",
    ),
    "not_a_gtin": ("“{value}” is not a GTIN.", "8, 12, 13 or 14 digits."),
    "gtin_check_digit": ("The check digit of “{value}” is wrong.", "Check for typing errors."),
    "not_a_country": ("“{value}” is not a country.", "An ISO 3166 code or a country's name."),
    "not_a_currency": ("“{value}” is not a currency.", "An ISO 4217 code, for example EUR."),
    "not_a_german_postcode": ("“{value}” is not a German postcode.", "Five digits."),
    "unknown_option": ("“{value}” is not one of the options.", "One of the field's options."),
    "option_guessed": ("“{value}” was changed to the closest option.", "Check the spelling."),
    "doubtful_value": (
        "“{value}” is marked as uncertain.",
        "Confirm it: enter the value without the mark.",
    ),
    "recognised_doubtfully": (
        "“{value}” was recognised in a picture, and may be wrong.",
        "The value as the page shows it.",
    ),
    "required": ("A value is required.", "Fill in the cell."),
    "required_with": ("A value is required, because {columns} is filled.", "Fill in the cell."),
    "required_without": ("A value is required, because {columns} is empty.", "Fill in the cell."),
    "required_with_all": (
        "A value is required, because {columns} are filled.",
        "Fill in the cell.",
    ),
    "required_without_all": (
        "A value is required, because {columns} are empty.",
        "Fill in the cell.",
    ),
    "regex": ("“{value}” does not have the required format.", "Text that matches {pattern}."),
    "regex_timeout": (
        "Checking the format of “{value}” took too long.",
        "A shorter value, or a simpler pattern in the catalog.",
    ),
    "compare": ("“{value}” must be {op} {other}.", "A value that is {op} {other}."),
    "option_condition": ("“{option}” does not match the rest of the row.", "Another option."),
    "document_differs": (
        "“{value}” differs from “{first}”, the value for the whole document.",
        "The same value in every row.",
    ),
    "too_long": ("The value is longer than {max} characters.", "At most {max} characters."),
    "unique": ("“{value}” is a duplicate of row {firstRow}.", "A value that no other row has."),
    "unknown_reference": (
        "No {entity} matches “{value}”.",
        "A record that already exists or is in the file.",
    ),
    "reference_left_out": (
        "No {entity} matches “{value}”; the cell is left empty.",
        "A record that already exists or is in the file.",
    ),
    "ambiguous_reference": (
        "“{value}” matches more than one {entity}.",
        "Answer the question about it, or enter a value that only one record has.",
    ),
    "reference_guessed": ("“{value}” was matched to “{other}”.", "Check the spelling."),
    "reference_required": (
        "A {entity} is required.",
        "A record that already exists or is in the file.",
    ),
    "reference_exists": (
        "There is no {entity} “{value}”.",
        "A record that already exists or is in the file.",
    ),
    "reference_unique": (
        "Row {firstRow} refers to the same {entity}.",
        "A {entity} that no other row refers to.",
    ),
    "entity_differs": (
        "“{value}” differs from “{first}” in row {firstRow} for the same {entity}.",
        "Use the same value in both rows; otherwise the later one applies.",
    ),
    "differing_parent_value": (
        "“{value}” differs from “{first}” in row {firstRow} for the same {entity}.",
        "The same value in every row.",
    ),
    "child_without_parent": (
        "This row does not say which {entity} it belongs to.",
        "Fill in the cell.",
    ),
    "parent_without_children": (
        "“{value}” has no rows of {children}.",
        "At least one row of {children}.",
    ),
    "too_many_children": (
        "“{value}” has more than {max} rows of {children}.",
        "At most {max} rows of {children}.",
    ),
    "circular_reference": ("“{value}” refers to itself.", "Another {entity}, or an empty cell."),
    "host_check": (
        "The receiving system says: {said}",
        "A value that the receiving system accepts.",
    ),
    "host_set": (
        "The receiving system changed “{value}” to “{other}”.",
        "Check the new value; undo brings the former one back.",
    ),
    "host_value_refused": (
        "The receiving system wanted to set “{other}”, which this field does not accept.",
        "A value that this field and the receiving system accept.",
    ),
    "host_value_repeats": (
        "The receiving system keeps changing this row, and now wants “{other}”.",
        "Check the values of this row; this one was not set.",
    ),
    "division_by_zero": (
        "The recipe divides {value} by zero.",
        "Another divisor, or a value for this cell.",
    ),
    "too_many_digits": (
        "“{value}” has too many digits to calculate with.",
        "Up to 18 digits before the decimal mark and 19 after it.",
    ),
    "unknown_key": (
        "“{value}” is not in the list of the recipe.",
        "A key of the list, or a default in the step.",
    ),
    "not_checked": (
        "An engine error prevented this cell from being checked.",
        "The error is logged. Contact the operator; until then, exclude the row.",
    ),
}
for _kind in ("with", "without", "with_all", "without_all"):
    SENTENCES[f"required_{_kind}_values"] = (
        "A value is required because of the value of {columns}.",
        "Fill in the cell.",
    )
CODES: tuple[str, ...] = tuple(SENTENCES)
# What hosts say of rows in review: findings, and values that were not set.
CODES_OF_HOSTS = frozenset({"host_check", "host_value_refused", "host_value_repeats"})
NAMED: dict[str, tuple[str, str]] = {  # the same if the issue names the field's currency
    "not_an_amount": (
        "“{value}” is not an amount in {currency}.",
        "For example 1234.56 or {currency} 1234.56, at most four decimals.",
    ),
    "other_currency": ("“{value}” is not in {currency}.", "An amount in {currency}."),
    "more_decimals": SENTENCES["more_decimals"],
}

OPERATORS = {
    "eq": "equal to",
    "ne": "different from",
    "gt": "greater than",
    "gte": "at least",
    "lt": "less than",
    "lte": "at most",
}
OWN = frozenset({"value", "field", "row"})  # what a catalog's own message may contain
_PLACEHOLDER = re.compile(r"\{([A-Za-z]+)\}")


def render(code: str, params: Mapping[str, Any], *, language: str = "en") -> tuple[str, str]:
    """
    Return the message and the hint of an issue.

    params: those of the issue, and ``value``, ``field`` and ``row``; rows count from 0 and are
    shown from 1. A catalog's own message (``message``) replaces ours. In it, ``{value}``,
    ``{field}`` and ``{row}`` are filled in; other braces stay as they are. An unknown language
    gives English.

    >>> render("too_long", {"max": 5, "value": "abcdef"})
    ('The value is longer than 5 characters.', 'At most 5 characters.')
    """
    message, hint = _templates(code, params)
    own = params.get("message")
    words = _words(params, language)
    if isinstance(own, str):
        sentence = _filled(own, {name: words[name] for name in OWN & words.keys()})
    else:
        sentence = _filled(translated_template(message, language), words)
    return sentence, _filled(translated_template(hint, language), words)


def to_store(code: str, params: Mapping[str, Any]) -> tuple[str, str]:
    """Return what ``render`` does in English, to be worded in any language later."""
    words = _words(params, "en")
    message, hint = (
        Sentence(template, **{name: words[name] for name in _used(template) & words.keys()})
        for template in _templates(code, params)
    )
    return render(code, params)[0] if isinstance(params.get("message"), str) else message, hint


def _templates(code: str, params: Mapping[str, Any]) -> tuple[str, str]:
    sentences = NAMED if "currency" in params and code in NAMED else SENTENCES
    return sentences.get(code, ("", ""))


def _used(template: str) -> set[str]:
    return set(_PLACEHOLDER.findall(template))


def _words(params: Mapping[str, Any], language: str) -> dict[str, str]:
    words = {name: _word(value, language) for name, value in params.items()}
    for name in ("row", "firstRow"):
        if isinstance(number := params.get(name), int):
            words[name] = str(number + 1)
    if (op := params.get("op")) in OPERATORS:
        words["op"] = translated_template(OPERATORS[op], language)
    return words


def _word(value: Any, language: str) -> str:
    return listed(value, language) if isinstance(value, list | tuple) else str(value)


def _filled(sentence: str, words: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda match: words.get(match.group(1), match.group(0)), sentence)

"""Convert text written elsewhere, a catalog or a JSON Schema, to a catalog. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from catalogs.documents import RESERVED, findings_in, is_key
from catalogs.errors import MalformedJson
from catalogs.json_schema import read_schema
from common.wording.messages import Message, english_message
from tabular.model import i_json
from tabular.model.catalog_findings import Finding
from tabular.model.i_json import lines_of

Json = dict[str, Any]
Kind = Literal["catalog", "json-schema"]
_OTHER = re.compile(r"[^a-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Converted:
    """A catalog that may be saved as a draft, and the findings about the text."""

    kind: Kind
    catalog: Json
    findings: tuple[Finding, ...]
    lines: dict[str, int]  # of the findings' pointers in the text; empty without text


def convert_text(text: str) -> Converted:
    """Convert text: with ``entries`` a catalog, otherwise a JSON Schema. Raise MalformedJson."""
    converted = convert(read_object(text, pointer="/text"))
    lines = lines_of(
        text.removeprefix("\ufeff"), [finding.pointer for finding in converted.findings]
    )
    return Converted(converted.kind, converted.catalog, converted.findings, lines)


def convert(document: Json) -> Converted:
    """Convert a document to a catalog; findings have their location in the document."""
    if "entries" in document:
        given = {"key": "catalog", **document}
        return Converted(
            "catalog", given, _relevant(findings_in(i_json.write(given)), document), {}
        )
    read = read_schema(document)
    title = (read.title or "Catalog")[:200]
    catalog = {
        "key": _key_of(title),
        "title": title,
        "keySeparator": ".",
        "entries": read.entries,
    }
    return Converted("json-schema", catalog, tuple(read.findings), {})


def read_object(text: str | bytes, *, pointer: str = "") -> Json:
    """Parse a JSON object. Raise MalformedJson with the line and column of the error."""
    try:
        document = i_json.read(text)
    except i_json.NotIJson as error:
        raise MalformedJson(
            english_message(error.sentence), pointer=pointer, line=error.line, column=error.column
        ) from error
    if not isinstance(document, dict):
        raise MalformedJson(
            Message("malformed_json.not_an_object"), pointer=pointer, line=1, column=1
        )
    return document


def _relevant(findings: Sequence[Finding], document: Json) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.pointer != "/key" or "key" in document)


def _key_of(title: str) -> str:
    """
    Return a key made from a title.

    >>> _key_of("Orders 2026"), _key_of("schema"), _key_of("日本")
    ('orders-2026', 'schema-1', 'catalog')
    """
    key = _OTHER.sub("-", title.lower()).strip("-._")[:60]
    if not is_key(key):
        return "catalog"
    return f"{key}-1" if key in RESERVED else key

"""The text of a catalog version in one canonical form: equal catalogs have equal bytes. Pure."""

import hashlib
import re
from dataclasses import dataclass
from typing import Any

from catalogs.errors import CatalogInvalid, CatalogKeyRefused, OtherCatalog
from tabular.model import i_json
from tabular.model.catalog import Catalog
from tabular.model.catalog_findings import Finding
from tabular.model.sentences import Sentence

KEY_PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
RESERVED = frozenset(
    {"convert", "detect", "infer", "overview", "schema"}
)  # paths that would collide with catalogs/{key}
TITLE_LENGTH = 200
TOP_LEVEL = ("key", "title", "version", "keySeparator", "entries")


@dataclass(frozen=True, slots=True)
class Document:
    """A catalog's text in its stored form, and what is known of it without parsing it."""

    text: str
    title: str

    @property
    def etag(self) -> str:
        """The sha256 of the bytes, hex."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def is_key(key: str) -> bool:
    """Return whether text may be a catalog key; the database is not queried for other text."""
    return re.fullmatch(KEY_PATTERN, key) is not None


def checked_key(key: str) -> str:
    """Return the key. Raise CatalogKeyRefused if it is not valid."""
    if not is_key(key):
        raise CatalogKeyRefused
    if key in RESERVED:
        raise CatalogKeyRefused("bad_catalog_key.reserved", key=key)
    return key


@dataclass(frozen=True, slots=True)
class Given:
    """A catalog as written by a person: a JSON object for this catalog, possibly with errors."""

    key: str
    members: dict[str, Any]

    def numbered(self, number: int) -> Document:
        """
        Return the stored form: the five top-level members first, the rest as written.

        ``key`` and ``version`` come from the row; ``title`` defaults to the key, ``keySeparator``
        to a dot.

        >>> given('{"entries": []}', key="people").numbered(2).text
        '{"key":"people","title":"people","version":2,"keySeparator":".","entries":[]}'
        """
        whole = {"keySeparator": ".", **self.members}
        whole |= {"key": self.key, "version": number}
        if whole.get("title") is None:
            whole["title"] = self.key
        names = [name for name in TOP_LEVEL if name in whole]
        names += [name for name in whole if name not in TOP_LEVEL]
        title = whole["title"] if isinstance(whole["title"], str) else self.key
        text = i_json.write({name: whole[name] for name in names})
        return Document(text=text, title=title[:TITLE_LENGTH])


def given(text: str | bytes, *, key: str) -> Given:
    """Parse a written catalog. Raise CatalogInvalid unless it is a JSON object, or OtherCatalog."""
    try:
        members = i_json.read(text)
    except i_json.NotIJson as error:
        place = {"line": error.line, "column": error.column} if error.line else {}
        wrong = Finding("", "malformed_json", error.sentence)
        raise CatalogInvalid([wrong], **place) from error
    if not isinstance(members, dict):
        wrong = Finding("", "wrong_type", "A catalog must be a JSON object.")
        raise CatalogInvalid([wrong])
    if members.get("key", key) != key:
        sentence = Sentence("A catalog key cannot change; send the catalog {key}.", key=repr(key))
        raise OtherCatalog([Finding("/key", "key_differs", sentence)])
    return Given(key=key, members=members)


def findings_in(text: str) -> tuple[Finding, ...]:
    """Return what prevents publishing a catalog, or else which settings have no effect."""
    # Patterns are tried by the library that runs them, which a web worker starts without.
    from tabular.validating.publishing import findings_of

    return findings_of(text)


def usable_catalog(document: Any) -> Catalog | tuple[Finding, ...]:
    """Return the catalog in a parsed document, or the errors that keep it from being published."""
    from tabular.validating import publishing  # as above

    return publishing.usable_catalog(document)


def key_in(text: str | bytes) -> str | None:
    """Return the key that a catalog contains; None if there is none or the text is malformed."""
    try:
        members = i_json.read(text)
    except i_json.NotIJson:
        return None
    key = members.get("key") if isinstance(members, dict) else None
    return key if isinstance(key, str) else None

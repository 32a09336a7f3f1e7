"""A name or a detector that a catalog gains, and the text of the catalog with it. Pure."""

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

from tabular.model import i_json
from tabular.model.catalog import Catalog
from tabular.vocabulary.headers import take_apart
from tabular.vocabulary.sentences import reduced

Json = dict[str, Any]
Kind = Literal["alias", "option", "detector"]


@dataclass(frozen=True, slots=True)
class Addition:
    """
    Another header of a field, another name of an option, or a detector of the field's own type.

    text: the header, the name, or the column type. value: the option's.
    """

    kind: Kind
    field: str  # path
    text: str
    value: Any = None

    @property
    def id(self) -> str:
        """What identifies it: equal additions have the same."""
        return hashlib.sha256(json.dumps(self.as_json(), sort_keys=True).encode()).hexdigest()[:16]

    def as_json(self) -> Json:
        """Return it as JSON."""
        return asdict(self)

    @classmethod
    def kept(cls, document: Json) -> Self:
        """Return it from its JSON."""
        return cls(**document)


def with_addition(text: str, addition: Addition) -> str:
    """
    Return the text of a catalog with an addition. Raise LookupError where it has no place.

    >>> text = '{"entries":[{"id":"order","fields":[{"key":"mail"}]}]}'
    >>> with_addition(text, Addition("alias", "order.mail", "E-Post"))
    '{"entries":[{"id":"order","fields":[{"key":"mail","alternativeMatches":["E-Post"]}]}]}'
    """
    document = i_json.read(text)
    field = _field(document, addition.field)
    if addition.kind == "alias":
        _append(field, "alternativeMatches", addition.text)
    elif addition.kind == "option":
        _append(_option(field, addition.value), "alternativeMatches", addition.text)
    else:
        _append(field, "valueDetectors", {"kind": "builtin", "name": addition.text})
    return i_json.write(document)


def header_key(header: str) -> str:
    """
    Return what the matcher compares of a header; empty where it has no word.

    >>> header_key("Kd-Nr") == header_key("kd nr."), header_key("-")
    (True, '')
    """
    return take_apart(reduced(header)).key


def option_key(text: str) -> str:
    """
    Return what is compared of an option's name.

    >>> option_key("Paid."), option_key("!")
    ('paid', '!')
    """
    from tabular.values.vocabularies import fold  # loads pyarrow

    return fold(text) or text.strip()


def spellings(catalog: Catalog, path: str) -> dict[str, Any]:
    """Return what the options of a field are written as, as keys, with their values."""
    field = catalog.fields_by_path[path]
    return {
        option_key(spelling): option.value
        for option in field.dropdown_options or ()
        for spelling in (str(option.value), option.label, *(option.alternative_matches or ()))
    }


def headers(catalog: Catalog) -> set[str]:
    """Return the keys of every header that a catalog names."""
    return {
        header_key(name)
        for field in catalog.fields_by_path.values()
        for name in (field.key, field.label, *(field.alternative_matches or ()))
        if name
    }


def _field(document: Json, path: str) -> Json:
    separator = document.get("keySeparator", ".")
    for entry in document.get("entries", ()):
        for field in entry.get("fields", ()):
            if f"{entry['id']}{separator}{field['key']}" == path:
                place: Json = field
                return place
    raise LookupError(path)


def _option(field: Json, value: Any) -> Json:
    for option in field.get("dropdownOptions") or ():
        if option["value"] == value:
            place: Json = option
            return place
    raise LookupError(value)


def _append(holder: Json, name: str, item: Any) -> None:
    holder[name] = [*(holder.get(name) or ()), item]

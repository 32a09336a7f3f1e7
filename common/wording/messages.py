"""
Messages: a key and parameters, worded at the edge in the reader's language.

The English templates are in ``locale/en.toml``, by key; the other languages are gettext catalogues
whose ids are these templates. A template names its parameters, with what ``str.format`` allows and:

- ``{n:,}``: a whole number, its thousands separated as the language does
- ``{n:row}``: a number and its noun, one of ``[counted]``
- ``{size:size}``: bytes, in the largest unit that divides them

A parameter may be a message itself, which is filled in.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any

from tabular.model.sentences import (
    LANGUAGES,
    MARK,
    UNITS,
    Sentence,
    form_for,
    separated,
    translated,
)

ENGLISH = LANGUAGES[0]
SIZE, NUMBER, BYTE = "size", ",", "byte"
SAID = "said"  # a text of a package below, which has no keys


class Message:
    """What to say: the key of a template, and the values of its parameters."""

    __slots__ = ("key", "params")

    def __init__(self, key: str, /, **params: Any) -> None:
        self.key = key
        self.params = params

    def __repr__(self) -> str:
        """Return the call that makes it."""
        given = [repr(self.key), *(f"{name}={value!r}" for name, value in self.params.items())]
        return f"Message({', '.join(given)})"

    def __eq__(self, other: object) -> bool:
        """Return whether both say the same."""
        return isinstance(other, Message) and (self.key, self.params) == (other.key, other.params)

    def __hash__(self) -> int:
        """Return the hash of the key: parameters may be lists."""
        return hash(self.key)

    def __str__(self) -> str:
        """Return the English text."""
        return self.text()

    def text(self, language: str = ENGLISH) -> str:
        """
        Return the text in a language; in English where the language has none.

        >>> Message("too_large.file", size=4 * 2**30).text()
        'The file is larger than the 4 GiB allowed.'
        """
        if self.key == SAID:
            return translated(self.params["text"], language)
        template = wording(language).templates[self.key]
        return _Filling(language).vformat(template, (), self.params)


def english_message(text: str) -> Message:
    """Return the message of a text that a framework or a package below wrote in English."""
    return Message(SAID, text=text)


class KeyedSentence(Sentence):
    """A message with a key as a text that can be stored: ``template`` is its key."""

    mark = f"{MARK}.key"

    def __new__(cls, key: str, /, **params: Any) -> "KeyedSentence":
        """Fill the template in English."""
        made = str.__new__(cls, Message(key, **params).text())
        made.template, made.values = key, params
        return made

    def in_language(self, language: str) -> str:
        """Return it in a language."""
        return Message(self.template, **self.values).text(language)


def stored(message: Message) -> str:
    """Return a message as English text that keeps what words it in other languages."""
    if message.key == SAID:
        text: str = message.params["text"]
        return text
    params = {
        name: stored(value) if isinstance(value, Message) else value
        for name, value in message.params.items()
    }
    return KeyedSentence(message.key, **params)


@dataclass(frozen=True, slots=True)
class Wording:
    """The templates of a language by their keys, and its nouns with a number."""

    templates: Mapping[str, str]
    counted: Mapping[str, tuple[str, ...]]


def rendered(value: Any, language: str = ENGLISH) -> Any:
    """
    Return JSON with each message replaced by its text.

    >>> rendered([{"detail": Message("not_found")}])
    [{'detail': 'Nothing was found for this license.'}]
    """
    match value:
        case Message():
            return value.text(language)
        case dict():
            return {name: rendered(member, language) for name, member in value.items()}
        case list() | tuple():
            return [rendered(item, language) for item in value]
    return value


@cache
def english() -> Wording:
    """Return the English templates."""
    read = tomllib.loads((files("common.wording") / "locale" / "en.toml").read_text("utf-8"))
    counted = {name: (singular, many) for name, (singular, many) in read.pop("counted").items()}
    return Wording(read.pop("messages"), counted)


@cache
def wording(language: str) -> Wording:
    """Return the templates of a language: English ones where it has none."""
    source = english()
    if language not in LANGUAGES[1:]:
        return source
    from babel.messages.pofile import read_po

    with (files("common.wording") / "locale" / f"{language}.po").open("rb") as file:
        translations: dict[Any, Any] = {
            item.id: item.string for item in read_po(file) if item.string
        }
    return Wording(
        {key: translations.get(template, template) for key, template in source.templates.items()},
        {name: translations.get(forms, forms) for name, forms in source.counted.items()},
    )


class _Filling(Formatter):
    """Fill the templates of a language."""

    def __init__(self, language: str) -> None:
        self._language = language if language in LANGUAGES else ENGLISH

    def format_field(self, value: Any, spec: str) -> str:
        """Return a parameter as its place asks for it."""
        if isinstance(value, Message):
            return value.text(self._language)
        if isinstance(value, KeyedSentence):
            return value.in_language(self._language)
        if spec == NUMBER:
            return separated(f"{value:,}", self._language)
        if spec == SIZE:
            return self._size(value)
        if spec in english().counted:
            form = form_for(value, self._language, wording(self._language).counted[spec])
            return self.vformat(form, (), {"n": value})
        return str(format(value, spec))

    def _size(self, size: int) -> str:
        for unit, of in UNITS:
            if size >= of and size % of == 0:
                return self.format_field(size // of, unit)
        return self.format_field(size, BYTE)

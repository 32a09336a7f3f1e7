"""Messages for users: with numbers in them, and in the users' languages.

The engine says everything in English: in a problem, a question, a reason. A translation finds a
message by its words: it is matched with the templates of the catalogues (``locale/<language>.po``),
and what was filled in is filled into the translation. ``{lower}`` is kept as it is, ``{n1}`` is a
number and is formatted for the language, and ``{UPPER}`` is a phrase that is translated by itself.
A translation may have several plural forms, of which ``{n1}`` chooses (see ``plurals``).
Codes never change. Without a translation for the language or the message, the text is returned
unchanged.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl", "ar", "he", "ja")
PHRASE = "phrase"  # the context of what is not a message by itself
COUNT = "n1"  # the placeholder that chooses among plural forms
PARTED, NARROW = "; ", "\u202f"
PARTS = {
    "fr": NARROW + PARTED,
    "ar": "\u061b ",
    "ja": "\uff1b",
}  # what separates parts; else PARTED
LISTED = {"ar": "\u060c ", "ja": "\u3001"}  # what separates the items of a list; else a comma
LONGEST = 4_000  # characters; no message of the engine is longer
SEPARATORS = {  # thousands and decimals, where they are not those of English
    **dict.fromkeys(("de", "es", "it", "nl", "pt"), (".", ",")),
    "fr": (NARROW, ","),
    "pl": ("\xa0", ","),
}
TWO = ("one", "other")
# Of a counted noun, as the Unicode CLDR names and chooses them, in the order in which catalogues
# write them. The last one is for everything else.
FORMS = {
    "ar": ("zero", "one", "two", "few", "many", "other"),
    "he": ("one", "two", "other"),
    "ja": ("other",),
    "pl": ("one", "few", "many"),
}
UNITS = (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))
_PLACEHOLDER = re.compile(r"\{([A-Za-z][A-Za-z0-9]*)\}")
_NUMBER = re.compile(r"n\d")
_ONE = re.compile(r"(?<![\d.,])1 (character|item|digit|decimal)s\b")
_COUNTED = re.compile(r"(?:\{n1\}|1) ")


def counted(count: int, singular: str, many: str = "") -> str:
    """
    Return a count with its noun in the right number. many: the plural, unless it only adds an s.

    >>> counted(1, "row"), counted(2000, "row"), counted(0, "row has", "rows have")
    ('1 row', '2,000 rows', '0 rows have')
    """
    return f"{count:,} {singular if count == 1 else many or singular + 's'}"


def sized(size: int) -> str:
    """
    Return an exact size in bytes, in the largest unit that divides it.

    >>> sized(4 * 2**30), sized(1500), sized(1)
    ('4 GiB', '1,500 bytes', '1 byte')
    """
    for unit, of in UNITS:
        if size >= of and size % of == 0:
            return f"{size // of:,} {unit}"
    return counted(size, "byte")


def member_of(pointer: str) -> str:
    """
    Return the name of a JSON pointer's member for a message; the whole document is "This".

    >>> member_of("/entries/0/key"), member_of("/matchOn/1"), member_of("")
    ('“key”', '“matchOn[1]”', 'This')
    """
    *_, parent, last = ["", "", *pointer.split("/")[1:]]
    name = f"{parent}[{last}]" if last.isdecimal() else last
    return f"“{name.replace('~1', '/').replace('~0', '~')}”" if pointer else "This"


def about(sentence: str, pointer: str) -> str:
    """
    Fill the placeholder ``{member}`` of a message, and adjust the number of its noun.

    >>> about("{member} can have at most 1 characters.", "/keySeparator")
    '“keySeparator” can have at most 1 character.'
    """
    return _ONE.sub(r"1 \1", sentence.replace("{member}", member_of(pointer)))


def translated(text: str, language: str) -> str:
    """
    Return a message in a language, unchanged if there is no translation.

    >>> translated("The file has 1,200 rows; at most 500 may be sent.", "de")
    'Die Datei hat 1.200 Zeilen; höchstens 500 dürfen gesendet werden.'
    """
    if language not in LANGUAGES[1:] or not text or len(text) > LONGEST:
        return text
    sentence = _found(text, language, False)
    return text if sentence is None else sentence


def catalogue(language: str) -> Mapping[str, str]:
    """
    Return the messages of a language by the English ones; empty if there is no translation.

    Of plural forms, it has the one for most numbers.
    """
    return {
        template.source: template.forms[-1]
        for template in _templates(language)
        if not template.is_phrase
    }


def translated_template(template: str, language: str) -> str:
    """Return a template in a language, placeholders unfilled; unchanged if there is none."""
    return _by_source(language).get(template, template)


def listed(items: Iterable[object], language: str) -> str:
    """
    Return a list of words as the language separates them.

    >>> listed(["Name", "Price"], "en"), listed(["Name", "Price"], "ja")
    ('Name, Price', 'Name、Price')
    """
    return LISTED.get(language, ", ").join(map(str, items))


def separated(number: str, language: str) -> str:
    """
    Return an English number with the separators of a language.

    >>> separated("1,234.5", "de")
    '1.234,5'
    """
    thousands, decimals = SEPARATORS.get(language, (",", "."))
    return number.translate({ord(","): thousands, ord("."): decimals})


@dataclass(frozen=True, slots=True)
class Template:
    """A message with placeholders, and the forms of its translation."""

    source: str
    forms: tuple[str, ...]
    is_phrase: bool
    is_nested: bool  # a phrase without a count is only looked for inside a message
    key: str  # the longest part that a text must contain
    pattern: re.Pattern[str]


@lru_cache(maxsize=2_000)
def _found(text: str, language: str, is_nested: bool) -> str | None:
    for template in _templates(language):
        if template.key not in text or (template.is_nested and not is_nested):
            continue
        if (match := template.pattern.fullmatch(text)) is not None:
            filled = _filled(template, match.groupdict(), language)
            if filled is not None:
                return filled
    return _parted(text, language)


def _parted(text: str, language: str) -> str | None:
    """Return a text of parts separated by semicolons, if all of them have translations."""
    at = text.find(PARTED)
    while at > 0:
        first = _found(text[:at], language, True)
        rest = None if first is None else _found(text[at + len(PARTED) :], language, True)
        if first is not None and rest is not None:
            return f"{first}{PARTS.get(language, PARTED)}{rest}"
        at = text.find(PARTED, at + 1)
    return None


def _filled(template: Template, words: Mapping[str, str], language: str) -> str | None:
    """Return a filled translation, or None if a phrase has no translation."""
    filling: dict[str, str] = {}
    for name, word in words.items():
        if _NUMBER.fullmatch(name):
            filling[name] = separated(word, language)
        elif name.isupper():
            phrase = _found(word, language, True)
            if phrase is None:
                return None
            filling[name] = phrase
        else:
            filling[name] = word
    form = template.forms[-1]
    if COUNT in words:
        form = form_for(_value(words[COUNT]), language, template.forms)
    return _PLACEHOLDER.sub(lambda match: filling.get(match.group(1), match.group(0)), form)


def _value(number: str) -> int | Decimal:
    """Return what an English number is: a whole one is chosen for as such."""
    plain = number.replace(",", "")
    return int(plain) if plain.lstrip("-").isdecimal() else Decimal(plain)


@cache
def _templates(language: str) -> tuple[Template, ...]:
    """Read a language's templates, the longest first; empty for an unknown language."""
    if language not in LANGUAGES[1:]:
        return ()
    from babel.messages.pofile import read_po

    with (files("tabular.model") / "locale" / f"{language}.po").open("rb") as file:
        entries = [entry for entry in read_po(file) if entry.id and entry.string]
    made = [_template(_forms(e.id)[0], _forms(e.string), e.context == PHRASE) for e in entries]
    return tuple(sorted(made, key=lambda template: -len(_PLACEHOLDER.sub("", template.source))))


@cache
def _by_source(language: str) -> dict[str, str]:
    return dict(catalogue(language))


def _forms(texts: str | Sequence[str] | None) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts or ())


def _template(source: str, forms: tuple[str, ...], is_phrase: bool) -> Template:
    parts = _PLACEHOLDER.split(source)  # text, name, text, name, ... text
    pattern = "".join(
        _place(part) if number % 2 else re.escape(part) for number, part in enumerate(parts)
    )
    key = max(parts[::2], key=len)
    is_nested = is_phrase and not _COUNTED.match(source)
    return Template(source, forms, is_phrase, is_nested, key, re.compile(pattern, re.DOTALL))


def _place(name: str) -> str:
    wanted = r"-?\d[\d,.]*?" if _NUMBER.fullmatch(name) else ".+?"
    return f"(?P<{name}>{wanted})"


def form_for(number: int | Decimal, language: str, forms: Sequence[str]) -> str:
    """
    Return the form of a translation that a number needs; a single form is for every number.

    >>> [form_for(n, "pl", ("wiersz", "wiersze", "wierszy")) for n in (1, 2, 5, 22)]
    ['wiersz', 'wiersze', 'wierszy', 'wiersze']
    >>> [form_for(n, "fr", ("ligne", "lignes")) for n in (0, 1, 2)]
    ['ligne', 'ligne', 'lignes']
    """
    if len(forms) == 1:
        return forms[0]
    category = _category(number, language)
    names = FORMS.get(language, TWO)
    return forms[names.index(category) if category in names else -1]


def _category(number: int | Decimal, language: str) -> str:
    if language == "en":  # without a catalogue, and without loading one
        return "one" if number == 1 else "other"
    from babel import Locale

    return Locale(language).plural_form(number)

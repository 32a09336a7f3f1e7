"""Messages for users: templates, what fills them, and their wording in the users' languages.

The engine says everything in English: in a problem, a question, a reason. A ``Sentence`` is such a
text that also carries its template and values; a message without values is its own template. The
catalogues (``locale/<language>.po``) translate templates. ``{lower}`` is filled in as it is,
``{n1}`` is a number and is formatted for the language, and ``{UPPER}`` is a phrase that is
translated by itself. A translation may have several plural forms, of which ``{n1}`` chooses (see
``form_for``). Codes never change. Without a translation, a text stays English.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import AfterValidator, PlainSerializer, PlainValidator
from pydantic_core import PydanticCustomError

if TYPE_CHECKING:
    from babel.messages.catalog import Message

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl", "ar", "he", "ja")
PHRASE = "phrase"  # the context of what is not a message by itself
COUNT = "n1"  # the placeholder that chooses among plural forms
NUMBERS = int | float | Decimal  # values with thousands and decimals
NARROW = "\u202f"
LISTED = {"ar": "\u060c ", "ja": "\u3001"}  # what separates the items of a list; else a comma
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
MARK = "$sentence"  # of a sentence in JSON: its template, next to its values
SEPARATOR = "\x1f"  # within one text of ``coded``
_NOUN = re.compile(r"(?<=\{n1\} )(character|item|digit|decimal)s\b")
_COUNT = re.compile(r"n\d")
_PLACEHOLDER = re.compile(r"\{([A-Za-z][A-Za-z0-9]*)\}")


class Sentence(str):
    """
    A message in English that carries its template and values, to be worded in other languages.

    values: by placeholder. A number is written with the separators of the language; a text is
    filled in as it is, unless its name is that of a phrase.

    >>> Sentence("The file has no table number {n1}.", n1=1200)
    'The file has no table number 1,200.'
    """

    mark: ClassVar[str] = MARK
    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, /, **values: Any) -> "Sentence":
        """Fill the template in English."""
        values = {n: v if isinstance(v, NUMBERS | str) else str(v) for n, v in values.items()}
        made = super().__new__(cls, _filled(template, values, "en"))
        made.template, made.values = template, values
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        """Return what a copy is made from."""
        return (self.template,), dict(self.values)

    def in_language(self, language: str) -> str:
        """Return it in a language; in English where it or one of its phrases has no translation."""
        if not _is_translated(self, language):
            return str(self)
        forms = _forms_by_source(language)[self.template]
        number = self.values.get(COUNT)
        form = forms[-1] if number is None else form_for(_number(number), language, forms)
        return _filled(form, self.values, language)


def numbered(count: int, single: str, many: str, /, **values: Any) -> Sentence:
    """
    Return the message for one or for many. Both templates have the count as ``{n1}``, or in words.

    >>> numbered(1, "1 row is left", "{n1} rows are left"), numbered(2, "", "{n1} rows are left")
    ('1 row is left', '2 rows are left')
    """
    return Sentence(single if count == 1 else many, n1=count, **values)


def joined(*parts: str) -> str:
    """
    Return messages as one, its parts separated by semicolons.

    >>> joined("2 rows", "the first is empty")
    '2 rows; the first is empty'
    """
    first, *rest = parts
    return Sentence("{A}; {B}", A=first, B=joined(*rest)) if rest else first


def counted(count: int, singular: str, many: str = "") -> Sentence:
    """
    Return a count with its noun in the right number. many: the plural, unless it only adds an s.

    >>> counted(1, "row"), counted(2000, "row"), counted(0, "row has", "rows have")
    ('1 row', '2,000 rows', '0 rows have')
    """
    return numbered(count, f"1 {singular}", f"{{n1}} {many or singular + 's'}")


def sized(size: int) -> Sentence:
    """
    Return an exact size in bytes, in the largest unit that divides it.

    >>> sized(4 * 2**30), sized(1500), sized(1)
    ('4 GiB', '1,500 bytes', '1 byte')
    """
    for unit, of in UNITS:
        if size >= of and size % of == 0:
            return Sentence(f"{{n1}} {unit}", n1=size // of)
    return counted(size, "byte")


def translated(text: str, language: str) -> str:
    """
    Return a message in a language, unchanged if there is no translation.

    >>> translated(Sentence("The file has no table number {n1}.", n1=1200), "de")
    'Die Datei hat keine Tabelle mit der Nummer 1.200.'
    """
    if isinstance(text, Sentence):
        return text.in_language(language)
    return text if text in _phrases(language) else translated_template(text, language)


def packed(value: Any) -> Any:
    """
    Return JSON with each sentence as an object, so that it can be stored with its values.

    >>> packed(["a", Sentence("{n1} rows", n1=2)])
    ['a', {'$sentence': '{n1} rows', 'n1': 2}]
    """
    match value:
        case Sentence():
            return {value.mark: value.template} | packed(dict(value.values))
        case dict():
            members = {name: packed(member) for name, member in value.items()}
            return {MARK: None, "value": members} if _mark_of(members) else members
        case list() | tuple():
            return [packed(item) for item in value]
    return value


def unpacked(value: Any, kinds: "Mapping[str, type[Sentence]] | None" = None) -> Any:
    """
    Return JSON with each object of ``packed`` as the sentence it was.

    kinds: the classes of sentences by their mark.

    >>> unpacked({"effect": {"$sentence": "{n1} rows", "n1": 2}})
    {'effect': '2 rows'}
    """
    match value:
        case dict():
            mark = _mark_of(value)
            is_escaped = mark == MARK and value[mark] is None
            items = value["value"] if is_escaped else value
            members = {name: unpacked(member, kinds) for name, member in items.items()}
            if not mark or is_escaped:
                return members
            return (kinds or {MARK: Sentence})[mark](members.pop(mark), **members)
        case list():
            return [unpacked(item, kinds) for item in value]
    return value


def _mark_of(document: Mapping[Any, Any]) -> str:
    """Return the first member if it marks a sentence, or looks like it."""
    first = str(next(iter(document), ""))
    return first if first.startswith(MARK) else ""


def _read(value: Any) -> str:
    """Read a text of JSON, or a sentence that ``packed`` has written."""
    text = unpacked(value)
    if not isinstance(text, str):
        raise PydanticCustomError("string_type", "a text is expected")
    return text


Text = Annotated[str, PlainValidator(_read), PlainSerializer(packed)]  # of a type of JSON
Document = Annotated[dict[str, Any], AfterValidator(unpacked), PlainSerializer(packed)]


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

    >>> about(coded("{member} can have at most {n1} characters.", n1=1), "/keySeparator")
    '“keySeparator” can have at most 1 character.'
    """
    template, values = decoded(sentence)
    if str(values.get(COUNT)) == "1":
        template = _NOUN.sub(r"\1", template)
    if not pointer:
        return Sentence(template.replace("{member}", "This"), **values)
    if "{member}" in template:
        values["member"] = member_of(pointer)[1:-1]
    return Sentence(template.replace("{member}", "“{member}”"), **values)


def coded(template: str, /, **values: object) -> str:
    """
    Return a template and its values as one text, for a framework that passes on nothing else.

    What a person wrote comes last: it may contain anything.

    >>> about(coded("{member} must be at most {n1}.", n1=7), "/limit")
    '“limit” must be at most 7.'
    """
    pairs = ((n, json.dumps(packed(v)) if n.isupper() else v) for n, v in values.items())
    return SEPARATOR.join([template, *(f"{name}={value}" for name, value in pairs)])


def decoded(text: str) -> tuple[str, dict[str, Any]]:
    """Return the template and values of a sentence, or of a text that ``coded`` has made."""
    if isinstance(text, Sentence):
        return text.template, dict(text.values)
    template = text.partition(SEPARATOR)[0]
    places = len(set(_PLACEHOLDER.findall(template)) - {"member"})
    if not places:
        return text, {}
    pairs = [pair.partition("=") for pair in text.split(SEPARATOR, places)[1:]]
    return template, {n: unpacked(json.loads(v)) if n.isupper() else v for n, _, v in pairs}


def catalogue(language: str) -> Mapping[str, str]:
    """
    Return the messages of a language by the English ones; empty if there is no translation.

    Of plural forms, it has the one for most numbers.
    """
    return {source: forms[-1] for source, forms in _forms_by_source(language).items()}


def translated_template(template: str, language: str) -> str:
    """Return a template in a language, placeholders unfilled; unchanged if there is none."""
    return _forms_by_source(language).get(template, (template,))[-1]


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


def _filled(template: str, values: Mapping[str, Any], language: str) -> str:
    if not values:
        return template
    words = {name: _word(name, value, language) for name, value in values.items()}
    return _PLACEHOLDER.sub(lambda match: words.get(match.group(1), match.group(0)), template)


def _is_translated(text: str, language: str) -> bool:
    if not isinstance(text, Sentence):
        return text in _forms_by_source(language)
    phrases = (value for name, value in text.values.items() if name.isupper())
    return text.template in _forms_by_source(language) and all(
        _is_translated(phrase, language) for phrase in phrases
    )


def _word(name: str, value: Any, language: str) -> str:
    if isinstance(value, NUMBERS) and _COUNT.fullmatch(name):
        return separated(f"{value:,}", language)
    if not name.isupper():
        return str(value)
    is_sentence = isinstance(value, Sentence)
    return translated(value, language) if is_sentence else translated_template(value, language)


def _number(value: Any) -> int | Decimal:
    """Return what chooses a plural form: a number, or one that is written without separators."""
    return value if isinstance(value, int) else Decimal(str(value))


@cache
def _forms_by_source(language: str) -> Mapping[str, tuple[str, ...]]:
    """Read a language's translations; empty for English and an unknown language."""
    return {_forms(entry.id)[0]: _forms(entry.string) for entry in _entries(language)}


@cache
def _phrases(language: str) -> frozenset[str]:
    """Return what is only a part of messages: alone, it may be what a person typed."""
    return frozenset(_forms(e.id)[0] for e in _entries(language) if e.context == PHRASE)


def _entries(language: str) -> "tuple[Message, ...]":
    if language not in LANGUAGES[1:]:
        return ()
    from babel.messages.pofile import read_po

    with (files("tabular.model") / "locale" / f"{language}.po").open("rb") as file:
        return tuple(entry for entry in read_po(file) if entry.id and entry.string)


def _forms(texts: str | Sequence[str] | None) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts or ())


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

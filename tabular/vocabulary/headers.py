"""Split a header: words without case, accents, camelCase, units and decorations."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

MAX_HEADER = 200  # characters used for matching; the rest of a longer header is prose
MAX_WORDS = 24

_LETTERS = str.maketrans(
    {
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o",
        "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "ı": "i", "€": " eur ", "$": " usd ", "£": " gbp ",
        "%": " percent ", "№": " number ", "&": " and ", "’": "'",
    }
)  # fmt: skip
_NUMBER_SIGN = re.compile(r"(?<![a-z])n[°º](?:\s*[.:])?|#(?!\d*[a-z])", re.IGNORECASE)
_ASIDE = re.compile(r"[(\[{]([^()\[\]{}]*)[)\]}]")
_PATH = re.compile(r"(?<=\w)\[(\w+)\]")  # customer[email] means customer.email
_GENDER = re.compile(r"(?<=[a-zäöüß])(?:[*:/]-?(?:in|innen)|[*:](?:r|e|euse|trice))\b")
_CAMEL = re.compile(
    r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])"
)
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Header:
    """A header's words in reading order, with the text in brackets kept apart."""

    words: tuple[str, ...]
    aside: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The header as one word: ``First name``, ``first_name`` and ``FirstName`` agree."""
        return "".join(self.words) or "".join(self.aside)


def fold(text: str) -> str:
    """
    Remove case and accents.

    >>> fold("Größe Łódź")
    'grosse lodz'
    """
    plain = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


def _words(text: str) -> tuple[str, ...]:
    """Split at everything that is not a letter or digit, and inside camelCase."""
    plain = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    words = (part for word in _WORD.findall(plain) for part in _CAMEL.split(word))
    return tuple(word.casefold() for word in words if word)[:MAX_WORDS]


@lru_cache(maxsize=8192)
def take_apart(text: str) -> Header:
    """
    Split a header into words.

    >>> take_apart("*ContactName")
    Header(words=('contact', 'name'), aside=())
    >>> take_apart("Weight (kg)")
    Header(words=('weight',), aside=('kg',))
    >>> take_apart("customer[email]").words
    ('customer', 'email')
    >>> take_apart("N° facture").key
    'numberfacture'
    """
    text = unicodedata.normalize("NFKC", _NUMBER_SIGN.sub(" number ", text[:MAX_HEADER]))
    text = _PATH.sub(r" \1", _GENDER.sub("", text))
    asides = " ".join(_ASIDE.findall(text))
    words = _words(_ASIDE.sub(" ", text))
    aside = _words(asides)
    return Header(words, aside) if words else Header(aside)


def normalise(text: str) -> str:
    """Return the form in which a header is remembered: its words with one blank between them."""
    header = take_apart(text)
    return " ".join(header.words + header.aside)

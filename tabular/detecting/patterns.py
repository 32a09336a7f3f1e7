"""The kinds of value that can be told by their looks or their check digits."""

import re
from functools import lru_cache

from tabular.detecting.accepting import accepted
from tabular.detecting.gazetteers import countries, country_codes, words

LONGEST = 400  # characters of a value that are looked at

_EMAIL = re.compile(r"[^@\s,;<>]+@[^@\s,;<>]+\.[^@\s,;<>.]{2,}")
_URL = re.compile(r"(?:https?://|www\.)[^\s]+\.[^\s]+", re.I)
_IMAGE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|bmp|tiff?)(?:$|[?#,|\s])", re.I)
_IBAN = re.compile(r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}")
_BIC = re.compile(r"[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?")
_VAT = re.compile(
    r"(?:AT ?U\d{8}|BE ?[01]?\d{9}|BG ?\d{9,10}|CY ?\d{8}[A-Z]|CZ ?\d{8,10}|DE ?\d{9}|DK ?\d{8}"
    r"|EE ?\d{9}|EL ?\d{9}|ES ?[A-Z0-9]\d{7}[A-Z0-9]|FI ?\d{8}|FR ?[A-Z0-9]{2} ?\d{9}|GB ?\d{9}"
    r"|HR ?\d{11}|HU ?\d{8}|IE ?\d[A-Z0-9+*]\d{5}[A-Z]{1,2}|IT ?\d{11}|LT ?\d{9,12}|LU ?\d{8}"
    r"|LV ?\d{11}|MT ?\d{8}|NL ?\d{9}B\d{2}|PL ?\d{10}|PT ?\d{9}|RO ?\d{2,10}|SE ?\d{12}"
    r"|SI ?\d{8}|SK ?\d{10}|CHE[- ]?\d{3}[. ]?\d{3}[. ]?\d{3}.*)"
)
_GTIN = re.compile(r"\d{8}|\d{12,14}")
_NUMBER = re.compile(
    r"[-+]?[^\w\s.,;:/@-]?\s?(?:\d+|\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+)(?:[.,]\d+)?-?"
    r"\s?(?:%|[€$£]|zł|[A-Z]{3}|kg|g|cm|mm|m|km|h)?"
)
_PLAIN_INTEGER = re.compile(r"-?\d+")
_DECIMALS = re.compile(r"\d[.,]\d{1,2}(?!\d)")
_DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/. ]\d{1,2}[-/. ]\d{2,4}\.?"
    r"|(?:19|20)\d{2}[01]\d[0-3]\d"
    r"|\d{1,2}[-. ]+[^\W\d_]{3,12}\.?,?[-. ]+\d{2,4}|[^\W\d_]{3,12}\.? \d{1,2},? \d{4}"
    r"|\d{1,2} de [^\W\d_]+ de \d{4}|[^\W\d_]{2,10},? [^\W\d_]{3,10}\.? \d{1,2},? \d{4}"
)
_SHORT_DATE = re.compile(
    r"(?:0?[1-9]|1[0-2])[/.-](?:0?[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])[/.](?:0[1-9]|1[0-2])\.?"
)
_TIME = re.compile(r"\d{1,2}[:.h]\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]\.?m\.?)?", re.I)
_CLOCK = re.compile(
    r"[ T,]+\d{1,2}[:.h]\d{2}(?:[:.]\d{2}(?:[.,]\d+)?)?(?: ?[ap]\.?m\.?)?"
    r"(?: ?(?:Z|UTC|GMT|CES?T|[-+]\d{2}:?\d{2}))?",
    re.I,
)
_PHONE = re.compile(r"(?:\+|00)?[\d(][\d()/ .–-]{5,22}\d(?: ?(?:x|ext\.?) ?\d{1,5})?", re.I)
_MOBILE = re.compile(
    r"(?:(?:\+|00)?49|0) ?\(?0?\)?1[567]\d|(?:(?:\+|00)33|0) ?[67]|(?:\+|00)?34 ?[67]|\+44 ?7|07\d"
)
_UUID = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=\w*\d)(?=\w*[a-z])\w*_?[0-9a-f]{10,}", re.I
)
_IP = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}|(?:[0-9A-F]{2}[:-]){5}[0-9A-F]{2}", re.I)
_HTML = re.compile(r"<(?:p|br|div|ul|li|b|strong|span|h\d|table)\b[^>]*>", re.I)
_POSTCODE = re.compile(
    r"\d{4,5}|\d{5}-\d{4}|\d{2}-\d{3}|\d{4}-\d{3}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}"
    r"|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}-\d{4,5}"
)
_CODE = re.compile(r"(?=.*\d)[A-Z0-9][A-Z0-9._/#-]{0,29}|#?\d+[A-Z]?", re.I)
_STREET = re.compile(
    r"(?:^\d+[a-z]?(?:[-/]\d+)?,? +[^\W\d_].*|.*[^\W\d_][^\d]* \d+[ /-]?\w{0,4}(?:[-/]\d+\w?)?"
    r"(?: (?:apt|suite|ste|unit)\.? ?\w+)?$)",
    re.I,
)
_STREET_WORD = re.compile(
    r"\b(?:street|st|road|rd|avenue|ave|lane|drive|way|court|square|rue|boulevard|bd|place|chemin"
    r"|impasse|calle|avenida|paseo|plaza|via|viale|piazza|corso|rua|travessa|ul|ulica|aleja|straat"
    r"|laan|weg|plein|gracht)\b|(?:stra(?:ß|ss)e|str\.|weg|platz|gasse|allee|ring|damm|ufer|straat"
    r"|laan|plein|gracht)\b",
    re.I,
)
_COMPANY = re.compile(
    r"\b(?:gmbh|ag|kg|ohg|gbr|ug|e\.? ?k|e\.? ?v|e\.? ?g|ltd|limited|inc|llc|llp|plc|corp|co"
    r"|company|group|sons|s\.?a\.?r\.?l|s\.?a\.?s|s\.?a|sasu|eurl|s\.?l|s\.?l\.?u|s\.?p\.?a|s\.?r\.?l"
    r"|s\.?n\.?c|b\.?v|n\.?v|v\.?o\.?f|lda|sp\. ?z ?o\.? ?o|holding|stiftung|verein|associates"
    r"|partners|industries|bank|stadtwerke|versicherung)\b\.?",
    re.I,
)
_PERSON = re.compile(r"[^\W\d_][^\d@/\\|;:<>()]{1,60}")


@lru_cache(maxsize=4096)
def kinds_of(text: str) -> frozenset[str]:
    """
    Name every kind a value could be.

    >>> sorted(kinds_of("DE89 3704 0044 0532 0130 00"))
    ['iban']
    """
    text = text.strip()[:LONGEST]
    kinds = set()
    if text.casefold() in words("booleans"):
        kinds.add("boolean")
    if "@" in text and all(_EMAIL.fullmatch(part.strip()) for part in re.split("[;,]", text)):
        return frozenset({"email"})
    if _URL.match(text):
        return frozenset({"url", "image"} if _IMAGE.search(text) else {"url"})
    if _IBAN.fullmatch(text.upper()) and accepted((text,), "iban"):
        return frozenset({"iban"})
    if any(c.isdigit() for c in text):
        kinds |= _with_digits(text)
    else:
        kinds |= _letters(text)
    kinds |= _written(text)
    return frozenset(kinds)


def _with_digits(text: str) -> set[str]:
    kinds = set()
    if _is_date(text):
        kinds.add("date")
        if _PLAIN_INTEGER.fullmatch(text):
            kinds |= {"number", "integer", "code"}
        return kinds
    simple = (
        ("time", _TIME), ("number", _NUMBER), ("integer", _PLAIN_INTEGER), ("phone", _PHONE),
        ("ip", _IP), ("vat", _VAT), ("postcode", _POSTCODE), ("code", _CODE), ("uuid", _UUID),
        ("shortdate", _SHORT_DATE),
    )  # fmt: skip
    kinds |= {name for name, pattern in simple if pattern.fullmatch(text)}
    if "number" in kinds and _DECIMALS.search(text):
        kinds.add("decimal")
    if _GTIN.fullmatch(text) and accepted((text,), "gtin"):
        kinds.add("gtin")
    if "phone" in kinds and sum(c.isdigit() for c in text) < 6:
        kinds.discard("phone")
    if "phone" in kinds and _MOBILE.match(text):
        kinds.add("mobile")
    if _BIC.fullmatch(text):
        kinds.add("bic")
    if _STREET.match(text) and len(text) > 5:
        kinds.add("street")
        if _STREET_WORD.search(text):
            kinds.add("address")
    return kinds


def _is_date(text: str) -> bool:
    if _DATE.fullmatch(text):
        return not (len(text) == 8 and text.isdigit() and not "01" <= text[4:6] <= "12")
    clock = _CLOCK.search(text)
    return bool(clock and _DATE.fullmatch(text[: clock.start()]) and clock.end() == len(text))


def _letters(text: str) -> set[str]:
    kinds = set()
    if len(text) == 3 and text.upper() in words("currencies"):
        kinds.add("currency")
    if len(text) in {2, 3} and text.upper() in country_codes():
        kinds.add("country")
    if text.isupper() and _BIC.fullmatch(text) and (text[4:6] in country_codes()):
        kinds.add("bic")
    if text.casefold().rstrip(".") in words("honorifics"):
        kinds.add("honorific")
    if len(text) > 3 and text.casefold() in countries():
        kinds.add("country")
    if _PERSON.fullmatch(text):
        kinds |= _person(text)
    return kinds


def _person(text: str) -> set[str]:
    parts = [part for part in re.split(r"[\s,]+", text) if part]
    known = [part.strip(".").casefold() in words("first_names") for part in parts]
    if len(parts) == 1:
        return {"word", "firstname"} if known[0] else {"word"}
    kinds = {"words"}
    if len(parts) <= 4 and all(part[:1].isupper() or len(part) <= 3 for part in parts):
        kinds.add("title")
        if (known[0] or known[-1]) or _initialled(parts):
            kinds.add("person")
    return kinds


def _initialled(parts: list[str]) -> bool:
    """Whether a name is written ``J. de Vries``."""
    return len(parts[0]) == 2 and parts[0].endswith(".")


def _written(text: str) -> set[str]:
    kinds = set()
    if _HTML.search(text):
        kinds.add("html")
    if len(text) >= 25 and text.count(" ") >= 3:
        kinds.add("prose")
    if len(text) < 80 and _COMPANY.search(text):
        kinds.add("company")
    if " " in text and any(c.isalpha() for c in text):
        kinds.add("text")
    if ">" in text and not text.startswith("<") and " > " in text:
        kinds.add("path")
    return kinds

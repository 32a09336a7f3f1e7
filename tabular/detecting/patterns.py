"""
The kinds of value that matching distinguishes.

``tabular.values`` decides what a text is, and the column types check codes with check digits. This
module holds the finer kinds of words (persons, companies, streets) that only matching needs.
"""

import re
from functools import lru_cache

from tabular.detecting.accepting import accepted
from tabular.detecting.gazetteers import countries, country_codes, words
from tabular.model.catalog import ColumnType
from tabular.values import Judgement, Kind, judge

HALF_TURN = 180  # degrees
LONGEST = 400  # characters of a value that are examined

_IMAGE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|bmp|tiff?)(?:$|[?#,|\s])", re.I)
_VAT = re.compile(
    r"(?:AT ?U\d{8}|BE ?[01]?\d{9}|BG ?\d{9,10}|CY ?\d{8}[A-Z]|CZ ?\d{8,10}|DE ?\d{9}|DK ?\d{8}"
    r"|EE ?\d{9}|EL ?\d{9}|ES ?[A-Z0-9]\d{7}[A-Z0-9]|FI ?\d{8}|FR ?[A-Z0-9]{2} ?\d{9}|GB ?\d{9}"
    r"|HR ?\d{11}|HU ?\d{8}|IE ?\d[A-Z0-9+*]\d{5}[A-Z]{1,2}|IT ?\d{11}|LT ?\d{9,12}|LU ?\d{8}"
    r"|LV ?\d{11}|MT ?\d{8}|NL ?\d{9}B\d{2}|PL ?\d{10}|PT ?\d{9}|RO ?\d{2,10}|SE ?\d{12}"
    r"|SI ?\d{8}|SK ?\d{10}|CHE[- ]?\d{3}[. ]?\d{3}[. ]?\d{3}.*)"
)
_PLAIN_INTEGER = re.compile(r"-?\d+")
_DECIMALS = re.compile(r"\d[.,]\d{1,2}(?!\d)")
_SHORT_DATE = re.compile(
    r"(?:0?[1-9]|1[0-2])[/.-](?:0?[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])[/.](?:0[1-9]|1[0-2])\.?"
)
_MOBILE = re.compile(
    r"(?:(?:\+|00)?49|0) ?\(?0?\)?1[567]\d|(?:(?:\+|00)33|0) ?[67]|(?:\+|00)?34 ?[67]|\+44 ?7|07\d"
)
_UUID = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=\w*\d)(?=\w*[a-z])\w*_?[0-9a-f]{10,}", re.I
)
_MAC = re.compile(r"[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}", re.I)
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}", re.I)
_DEGREES = re.compile(r"-?(?:0|[1-9]\d{0,2})\.\d{4,}")  # of a coordinate, not 030.1234567 to dial
_HTML = re.compile(r"<(?:p|br|div|ul|li|b|strong|span|h\d|table)\b[^>]*>", re.I)
_POSTCODE = re.compile(
    r"\d{4,5}|\d{5}-\d{4}|\d{2}-\d{3}|\d{4}-\d{3}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}"
    r"|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}-\d{4,5}"
)
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


_EXACT: tuple[tuple[str, ColumnType, re.Pattern[str]], ...] = (
    ("bic", "bic", re.compile(r"[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?")),
    ("gtin", "gtin", re.compile(r"\d{8}|\d{12,14}")),
)  # kinds that a column type recognises, and the form a value needs to be worth testing
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9 ]{11,40}")
_MAIN = {
    Kind.NUMBER: "number",
    Kind.QUANTITY: "number",
    Kind.DATE: "date",
    Kind.TIME: "time",
    Kind.BOOLEAN: "boolean",
    Kind.IP: "ip",
    Kind.CODE: "code",
}


NOTHING = frozenset({Kind.BLANK, Kind.PLACEHOLDER, Kind.ERROR})


def is_placeholder(text: str) -> bool:
    """Return whether a value means "no value": a dash, "n/a", a spreadsheet error."""
    return judge(text.strip()[:LONGEST]).kind in NOTHING


@lru_cache(maxsize=4096)
def kinds_of(text: str) -> frozenset[str]:
    """
    Return every kind a value could be; none for a placeholder.

    >>> sorted(kinds_of("DE89 3704 0044 0532 0130 00"))
    ['iban']
    """
    judged = judge(text.strip()[:LONGEST])
    text = judged.text
    if judged.kind in NOTHING:
        return frozenset()
    if _are_addresses(text):
        return frozenset({"email"})
    if judged.kind is Kind.URL:
        return frozenset({"url", "image"} if _IMAGE.search(text) else {"url"})
    if _IBAN.fullmatch(text.upper()) and accepted((text,), "iban"):
        return frozenset({"iban"})
    if _MAC.fullmatch(text):
        return frozenset({"mac", "code"})
    kinds = {"boolean"} if judged.boolean is not None else set()
    kinds |= _with_digits(judged) if any(c.isdigit() for c in text) else _letters(text)
    return frozenset(kinds | _written(text))


def _are_addresses(text: str) -> bool:
    parts = re.split("[;,]", text)
    return "@" in text and all(judge(part).kind is Kind.EMAIL for part in parts)


def _with_digits(judged: Judgement) -> set[str]:
    text = judged.text
    kinds = {_MAIN[kind] for kind in judged.kinds if kind in _MAIN}
    if _PLAIN_INTEGER.fullmatch(text):
        kinds.add("integer")
    if _DEGREES.fullmatch(text) and (angle := abs(float(text))) <= HALF_TURN:
        kinds |= {"longitude"} if angle > HALF_TURN / 2 else {"longitude", "latitude"}
    if "date" in kinds:
        return kinds & {"date", "number", "integer", "code"} if "integer" in kinds else {"date"}
    simple = (
        ("vat", _VAT), ("postcode", _POSTCODE), ("uuid", _UUID), ("shortdate", _SHORT_DATE),
    )  # fmt: skip
    kinds |= {name for name, pattern in simple if pattern.fullmatch(text)}
    kinds |= {
        name for name, type_, looks in _EXACT if looks.fullmatch(text) and accepted((text,), type_)
    }
    if "number" in kinds and _DECIMALS.search(text):
        kinds.add("decimal")
    if judged.may_be_dialled and "longitude" not in kinds:
        kinds |= {"phone", "mobile"} if _MOBILE.match(text) else {"phone"}
        if Kind.PHONE in judged.kinds:  # its form shows it; bare digits can number anything
            kinds.add("dialled")
    if _STREET.match(text) and len(text) > 5:
        kinds.add("street")
        if _STREET_WORD.search(text):
            kinds.add("address")
    return kinds


def _letters(text: str) -> set[str]:
    kinds: set[str] = set()
    if len(text) == 3 and accepted((text,), "currency_code"):
        kinds.add("currency")
    if len(text) in {2, 3} and text.upper() in country_codes():
        kinds.add("country")
    kinds |= {
        name for name, type_, looks in _EXACT if looks.fullmatch(text) and accepted((text,), type_)
    }
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
    """Return whether a name is written as ``J. de Vries``."""
    return len(parts[0]) == 2 and parts[0].endswith(".")


def _written(text: str) -> set[str]:
    kinds = set()
    if _HOST.fullmatch(text):
        kinds.add("host")
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

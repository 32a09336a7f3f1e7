"""
What a single cell looks like: number, date, address, word, prose...

The classes are shared by the choice of a dialect and by the layout stage. They are about looks
only; ``tabular.types`` decides later what a value means.
"""

import re
from enum import Enum
from functools import lru_cache


class Look(Enum):
    """How a cell looks."""

    EMPTY = "empty"
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    ADDRESS = "address"  # e-mail, URL, IP, telephone
    FLAG = "flag"  # true, ja, x
    CODE = "code"  # letters and digits without a blank: AB-12
    WORD = "word"  # short text
    PROSE = "prose"  # a sentence


VALUES = frozenset({Look.NUMBER, Look.DATE, Look.TIME, Look.ADDRESS, Look.FLAG})
_PROSE_LENGTH = 60

_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mrz|mär|maer|mai|okt|dez|"
    r"janv|févr|fevr|mars|avr|juin|juil|août|aout|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|"
    r"mrt|mei|fev|out|sty|lut|kwi|maj|cze|lip|sie|wrz|paź|lis|gru)[a-zäéûęńźśó]*\.?"
)
_CURRENCY = (
    r"(?:[€$£¥₹₽₺₩]|(?:EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|HUF|AUD|CAD|CNY|INR)\b|zł|Kč|kr\.?)"
)
_DIGITS = r"(?:\d{1,3}(?:([.,'’ \u00a0\u202f])\d{3})(?:\1\d{3})*|\d+)(?:[.,]\d+)?|[.,]\d+"
_NUMBER = re.compile(
    rf"[(]?[-+−–—]?\s?{_CURRENCY}?\s?[-+−–—]?(?:{_DIGITS})(?:[eE][-+]?\d+)?"
    rf"\s?(?:{_CURRENCY}|%|‰)?-?[)]?",
    re.IGNORECASE,
)
_TIME_OF_DAY = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[ap]\.?m\.?)?"
_ZONE = r"(?:\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?"
_DAY = (
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\s?\d{1,2}[-/.]\s?(?:\d{4}|\d{2})|"
    rf"\d{{1,2}}(?:st|nd|rd|th)?[-./ ]\s?(?:de )?{_MONTH}[-./, ]\s?(?:de )?'?\d{{2,4}}|"
    rf"{_MONTH}[-./ ]\s?\d{{1,2}},?\s\d{{4}}|{_MONTH}[-./ ']\s?'?(?:\d{{4}}|\d{{2}})|"
    rf"\d{{1,2}}[-. ]{_MONTH}|\d{{4}}[-/ ](?:{_MONTH}|Q[1-4]|W\d{{2}})|\d{{4}}-\d{{2}}"
)
_DATE = re.compile(rf"(?:{_DAY})(?:[T ,]\s?{_TIME_OF_DAY}{_ZONE})?", re.IGNORECASE)
_TIME = re.compile(rf"{_TIME_OF_DAY}{_ZONE}", re.IGNORECASE)
_ADDRESS = re.compile(
    r"[^\s@]+@[^\s@]+\.[^\s@]+|(?:https?|ftp)://\S+|www\.\S+\.\S+|"
    r"(?=(?:\D*\d){7})[+(0][\d ()/.-]{6,20}\d|(?:\d{1,3}\.){3}\d{1,3}",
    re.IGNORECASE,
)
_FLAG = re.compile(r"true|false|yes|no|ja|nein|oui|non|si|sí|no|vrai|faux|y|n|x|✓|✗", re.IGNORECASE)
_CODE = re.compile(r"(?=.*\d)[\w./#+*:-]*", re.UNICODE)
_NOTHING = frozenset(
    {"-", "--", "---", "–", "—", "n/a", "na", "n.a.", "nan", "null", "none", "nil", "#n/a", "..",
     "...", ".", "?", ":", "*"}
)  # fmt: skip


@lru_cache(maxsize=65536)
def look(text: str) -> Look:
    """
    Say how one cell looks.

    >>> look("1.234,50 €"), look("3-Nov-23"), look("AB-12"), look("")
    (<Look.NUMBER: 'number'>, <Look.DATE: 'date'>, <Look.CODE: 'code'>, <Look.EMPTY: 'empty'>)
    """
    text = text.strip()
    if not text:
        return Look.EMPTY
    if len(text) > _PROSE_LENGTH:
        return Look.ADDRESS if _ADDRESS.fullmatch(text) else Look.PROSE
    if text[0].isdigit() or not text[0].isalpha() or text[-1].isdigit():
        if _DATE.fullmatch(text):
            return Look.DATE
        if _NUMBER.fullmatch(text):
            return Look.NUMBER
        if _TIME.fullmatch(text):
            return Look.TIME
    return _look_of_words(text)


def _look_of_words(text: str) -> Look:
    if _ADDRESS.fullmatch(text):
        return Look.ADDRESS
    if _FLAG.fullmatch(text):
        return Look.FLAG
    if _CODE.fullmatch(text):
        return Look.CODE
    if _NUMBER.fullmatch(text):  # "EUR 12,50"
        return Look.NUMBER
    if _DATE.fullmatch(text):  # "März 2024" ends with a digit; "12. März" does not
        return Look.DATE
    return Look.WORD


@lru_cache(maxsize=65536)
def value_look(text: str) -> Look:
    """Say how a cell looks; one that only says "no value" looks empty."""
    return Look.EMPTY if is_nothing(text) else look(text)


def is_nothing(text: str) -> bool:
    """Say whether a cell only marks that there is no value: ``-``, ``n/a``."""
    return text.strip().lower() in _NOTHING

"""How natural the words of a text look if its bytes are read in one encoding or another."""

import json
import re
import unicodedata
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

_SEPARATING_SIGNS = "¦§"
_USUAL = ",;\t|"


def separator_of(text: str) -> str:
    """Return the sign that splits every line into equally many cells, if no usual mark does."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or any(_repeats_alike(mark, lines) for mark in _USUAL):
        return ""
    for sign in _SEPARATING_SIGNS:
        # A currency or a unit may be in every line, too, but at the edge of a cell.
        between = re.compile(rf'"{sign}"|[^\s,;|"]{sign}[^\s,;|"]')
        parted = sum(between.search(line) is not None for line in lines)
        names = re.search(rf'[A-Za-z]"?{sign}"?[A-Za-z]', lines[0])
        if (names or parted * 2 > len(lines)) and _repeats_alike(sign, lines):
            return sign
    return ""


def _repeats_alike(sign: str, lines: list[str]) -> bool:
    counts = {line.count(sign) for line in lines}
    return len(counts) == 1 and 0 not in counts


_CLOSE = 0.05
_CLOSE_OF_FEW = 0.3  # the fewer characters give evidence, the wider apart the scores must be
_CLOSE_OF_UNNATURAL = 0.3  # and if not even the best one makes words
_SAMPLE = 12_000

_DOUBTS = {  # how much more natural the words must look before a rarer encoding is believed
    0.0: ("cp1252",),
    0.06: ("iso8859-15", "cp1253", "iso8859-7", "cp1255", "cp1256"),
    0.1: ("cp1251", "iso8859-5", "koi8-r", "koi8-u",
          "shift_jis", "gb18030", "euc_kr", "euc_jp", "big5"),
    0.15: ("cp1250", "iso8859-2", "cp1254", "cp1257"),
    0.3: ("cp850", "cp437", "cp852", "cp866", "mac-roman"),
}  # fmt: skip
CANDIDATES = {name: doubt for doubt, names in _DOUBTS.items() for name in names}
_WESTERN = ("de", "fr", "es", "it", "pt", "sv", "da", "nb", "fi", "is", "ca", "nl")
_CENTRAL = ("pl", "cs", "sk", "hu", "ro", "sl", "hr", "de")
_CYRILLIC = ("ru", "uk", "bg", "be", "sr", "mk")
_HOME = {  # the languages that each encoding was made for
    "cp1252": _WESTERN,
    "iso8859-15": _WESTERN,
    "cp850": _WESTERN,
    "cp437": _WESTERN,
    "mac-roman": _WESTERN,
    "cp1250": _CENTRAL,
    "iso8859-2": _CENTRAL,
    "cp852": _CENTRAL,
    "cp1251": _CYRILLIC,
    "iso8859-5": _CYRILLIC,
    "cp866": ("ru", "be"),
    "koi8-r": ("ru",),
    "koi8-u": ("uk", "ru"),
    "cp1253": ("el",),
    "iso8859-7": ("el",),
    "cp1254": ("tr",),
    "cp1255": ("he",),
    "cp1256": ("ar", "fa", "ur"),
    "cp1257": ("lt", "lv", "et"),
}
_STANDARD = {  # the older standard inside each, and the lead bytes of its everyday characters
    "gb18030": ("gb2312", 0xB0, 0xD7),
    "big5": ("big5", 0xA4, 0xC6),
    "shift_jis": ("euc_jp", 0xB0, 0xCF),
    "euc_jp": ("euc_jp", 0xB0, 0xCF),
    "euc_kr": ("euc_kr", 0xB0, 0xC8),
}
_RAREST, _UNKNOWN_PAIR, _UNKNOWN_LETTER = 0.2, -0.2, -0.8
_HANGUL = frozenset(  # the syllables of everyday Korean; Chinese misread as Korean has few of them
    "이다는의에을가고하지도한로은사를리기인대나자시해서들어그라만부아정일제스수보전과원장무상국니면신소경"
    "주구유우조여동계성오비공민연관치분게진생트요와안선세거용방개물실중적러통당체마미까입말업결학양회발위"
    "단차화년월강남김박최천산울역호품금액명번름합격내출매점재건배송문량종류철영희현준별특급행교육디터드크"
)
_DOUBT = 2  # number of characters at which the evidence counts half
_JAPANESE = frozenset({"shift_jis", "euc_jp"})
_IDEOGRAPHS, _HALF_WIDTH = "\u2e80", "\uff00"  # where they begin in Unicode
_SIGNS = "–—‘’“”„€£§°·•…«»²³½¼×µ®©™´¿¡ºª†\xa0"
_SIGN = re.compile(  # a sign between two letters, or any other one; apostrophes are allowed there
    r"((?<=[^\W\d_])[^\w\s\x00-\x7f’·\xa0\xad](?=[^\W\d_])"
    r"|(?<!\w)’(?=\w)|(?<=[^\W\d_])·(?=[^\W\dlL_]))"  # a point in the middle of words: l·l
    r"|([^\w\s\x00-\x7f]|[\x80-\x9f\xa0])"
)
_GLUED = re.compile(r"(?<=\d)[À-ɏ]|[À-ɏ](?=[\d.])")  # a letter on a number was a sign
_AREA = re.compile(r"(?<=m)[²³](?!\w)")
_PRICE = re.compile(r"[£€¥]\s?(?=\d)|(?<=\d)\s?[£€¥]")
_RAISED = str.maketrans("¹²³¼½¾", "°°°°°°")  # signs that Python counts as letters
_NO_LETTERS = 0.4  # the penalty of another alphabet that gives signs and no letters
_SEPARATED = 1.0  # the bonus of a sign that splits every line into equally many cells
_TELLING = re.compile(rb"[A-Za-z]?[\x80-\xff]+[A-Za-z]?")  # a repeated one proves nothing new
_ASCII = bytes(range(128))
_WORD = re.compile(r"[^\W\d_]+")


@cache
def _pairs(language: str) -> dict[str, float]:
    """Return the weights of a language's pairs of letters, the most frequent with 1."""
    texts = json.loads(Path(__file__).with_name("letter_pairs.json").read_text("utf-8"))[language]
    pairs = [texts[place : place + 2] for place in range(0, len(texts), 2)]
    return {pair: 1 - (1 - _RAREST) * rank / len(pairs) for rank, pair in enumerate(pairs)}


@cache
def _letters(language: str) -> frozenset[str]:
    return frozenset("".join(_pairs(language)))


def rank(foreign: bytes) -> list[tuple[str, float]]:
    """
    Score every candidate that can decode the bytes, best first.

    foreign: lines of the file with non-ASCII bytes. Scores are means per such character.
    """
    sample = _sample(foreign)
    texts = {name: text for name in CANDIDATES if (text := _decode(sample, name)) is not None}
    parting = {
        separator.encode(name) for name, text in texts.items() if (separator := separator_of(text))
    }
    scores = []
    for name, text in texts.items():
        read = text if separator_of(text) else _without_signs(sample, text, parting, name)
        scores.append((name, naturalness(read, name) - CANDIDATES[name]))
    scores.sort(key=lambda scored: -scored[1])
    return scores or [("cp1252", 0.0)]


def _without_signs(sample: bytes, text: str, parting: set[bytes], name: str) -> str:
    """Return the text without signs that another encoding reads as cell separators."""
    for sequence in parting:
        sign = _decode(sequence, name)
        if sign is not None and not any(map(str.isalpha, sign)):
            text = _decode(sample.replace(sequence, b"\t"), name) or text
    return text


def are_close(best: float, score: float, foreign: bytes) -> bool:
    """Return whether a score is so near the best one that the characters do not decide."""
    telling = sum(len(word.strip(_ASCII)) for word in set(_TELLING.findall(_sample(foreign))))
    unnatural = _CLOSE_OF_UNNATURAL if best < 0 else 0.0
    return best - score < _CLOSE + _CLOSE_OF_FEW / max(1, telling) + unnatural


def _sample(foreign: bytes) -> bytes:
    """Return some distinct lines: more of them would add no evidence."""
    lines: dict[bytes, None] = {}
    size = 0
    for line in foreign.split(b"\n"):
        if line not in lines:
            lines[line] = None
            size += len(line)
        if size > _SAMPLE:
            break
    return b"\n".join(lines)


def _decode(foreign: bytes, name: str) -> str | None:
    try:
        return foreign.decode(name)
    except UnicodeDecodeError:
        # A single undefined byte must not exclude cp1252: in practice, files are concatenated.
        if name != "cp1252":
            return None
        return foreign.decode(name, "replace")


def naturalness(text: str, name: str) -> float:
    """Return the mean score per non-ASCII character, about -2 to 1, shrunk to 0 by doubt."""
    areas = len(_AREA.findall(text))
    text = text.translate(_RAISED)
    separator = separator_of(text)
    if separator:
        text = text.replace(separator, "\t")
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    foreign = sum(not letter.isascii() for word in words for letter in word)
    points = foreign * _alphabet_points(words, name) + sum(map(_form_points, words))
    points += 0.4 * areas + 0.3 * len(_PRICE.findall(text)) - 0.8 * len(_GLUED.findall(text))
    signs = _SIGN.findall(text)
    for inside, sign in signs:
        points += -0.8 if inside else 0.8 if sign in _SIGNS else _sign_points(sign)
    points /= foreign + len(signs) + _DOUBT
    if separator:
        points += _SEPARATED
    return points if foreign or separator or _is_latin(name) else points - _NO_LETTERS


def _is_latin(name: str) -> bool:
    return not {*_HOME.get(name, ("",))}.isdisjoint({*_WESTERN, *_CENTRAL, "tr", "lt"})


def _alphabet_points(words: list[str], name: str) -> float:
    """Return how well the letters follow each other in the language that fits best."""
    letters = [letter for word in words for letter in word if letter >= _IDEOGRAPHS]
    pairs = Counter(
        pair
        for word in words
        for pair in map("".join, pairwise(f"^{word.lower()}$"))
        if not pair.isascii() and max(pair) < _IDEOGRAPHS
    )
    wide = sum(_ideograph_points(letter, name) for letter in letters)
    narrow = max((_pair_points(pairs, item) for item in _HOME.get(name, ())), default=None)
    if narrow is None:
        narrow = _UNKNOWN_LETTER * pairs.total()
    return (wide + narrow) / max(1, len(letters) + pairs.total())


def _pair_points(pairs: Counter[str], language: str) -> float:
    known, letters = _pairs(language), _letters(language)
    return sum(
        count
        * known.get(
            pair,
            _UNKNOWN_PAIR
            if all(letter.isascii() or letter in letters for letter in pair)
            else _UNKNOWN_LETTER,
        )
        for pair, count in pairs.items()
    )


def _sign_points(sign: str) -> float:
    kind = unicodedata.category(sign)
    if kind in {"Cc", "Co", "Cn"} or sign == "\ufffd":
        return -2.0
    if kind == "So" or 0x2500 <= ord(sign) < 0x25A0:  # box drawing: DOS pages misread
        return -1.0
    return -0.5


def _form_points(word: str) -> float:
    """Return a word's penalty for its form: mixed alphabets, accents everywhere, odd capitals."""
    foreign = sum(not letter.isascii() for letter in word)
    scripts = {_script(letter) for letter in word}
    points = 0.0
    if len(scripts) > 1 and not (scripts == {"CJK", "LATIN"} and _is_wide(word)):
        points -= 1.5 * foreign
    elif scripts == {"LATIN"}:
        # No European language writes most letters of a long word with accents.
        points -= max(0.0, foreign - max(1, len(word) / 2))
    has_case = word.lower() != word.upper()
    if has_case and not (word.islower() or word.isupper() or word[1:].islower()):
        points -= 0.7 * foreign
    if has_case and len(word) > 1 and word.isupper():
        points -= 0.2 * foreign
    if "ς" in word[:-1]:
        points -= 1.0
    return points


@cache
def _ideograph_points(letter: str, name: str) -> float:
    """Score an East Asian character by whether it is an everyday one of its standard."""
    kind = unicodedata.name(letter, "")
    if kind.startswith("HANGUL SYLLABLE"):
        return (0.9 if letter in _HANGUL else 0.3) if name == "euc_kr" else _UNKNOWN_LETTER
    if kind.startswith(("HIRAGANA", "KATAKANA", "IDEOGRAPHIC ITERATION")):
        return 0.9 if name in _JAPANESE else -0.2
    if not kind.startswith("CJK UNIFIED"):
        return _UNKNOWN_LETTER
    standard, first, last = _STANDARD.get(name, ("ascii", 0, 0))
    if name == "euc_kr":
        return -0.2
    return 0.6 if first <= letter.encode(standard, "replace")[0] <= last else -0.5


def _is_wide(word: str) -> bool:
    """Return whether a word mixes ideographs with nothing but plain letters: ``K座``."""
    wide = sum(_IDEOGRAPHS <= letter < _HALF_WIDTH for letter in word)
    return wide * 2 > len(word) == wide + sum(map(str.isascii, word))


@cache
def _script(letter: str) -> str:
    if letter >= _IDEOGRAPHS:  # kana, their long vowel mark, ideographs, full-width forms
        return "CJK"
    return unicodedata.name(letter, "").split(" ", 1)[0]

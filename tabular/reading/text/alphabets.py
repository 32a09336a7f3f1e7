"""
How natural the words of a text look when its bytes are read in one encoding or another.

A wrong encoding turns the letters of one language into rare letters, signs or controls of another,
mixes alphabets inside one word, or puts capitals where small letters belong. Each non-ASCII
character earns or loses points for that; the encoding with the best mean wins.
"""

import re
import unicodedata
from functools import cache

CLOSE = 0.05
_SAMPLE = 12_000

# How much more natural the words must look before a rarer encoding is believed.
CANDIDATES = {
    "cp1252": 0.0,
    "iso8859-15": 0.02,
    "cp1250": 0.14,
    "iso8859-2": 0.15,
    "cp1251": 0.08,
    "iso8859-5": 0.12,
    "koi8-r": 0.1,
    "koi8-u": 0.12,
    "cp1253": 0.06,
    "iso8859-7": 0.05,
    "cp1254": 0.15,
    "cp1255": 0.06,
    "cp1256": 0.06,
    "cp1257": 0.16,
    "cp850": 0.3,
    "cp437": 0.32,
    "cp852": 0.34,
    "cp866": 0.25,
    "mac-roman": 0.2,
    "shift_jis": 0.1,
    "euc_jp": 0.12,
    "gb18030": 0.1,
    "big5": 0.12,
    "euc_kr": 0.1,
}
# Letters by falling frequency in everyday text (Wikipedia letter statistics), one string a script.
_FREQUENT = {
    "western": "éäöüèáàíóßçñêãúôâåøæîìòùïëœûõ",
    "polish": "łóążęśćńź",
    "czech": "áíéěščřžýůúťďňôľĺ",
    "hungarian": "áéőöüóíúű",
    "romanian": "ăîâșțşţ",
    "slovene": "čšžćđ",
    "baltic": "āēīūšžčģķļņėįųąę",
    "german": "äöüß",
    "turkish": "ıişğçöüâİ",
    "cyrillic": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґўјљњћџ",
    "greek": "αοιετσνηυρπκμλςωδγχθφβξζψάόίέήύώϊϋ",
    "hebrew": "יוהלאמרתבשנעםדקפחטגצסכזןךףץ",
    "arabic": "الينمتربوعدسفهكقحجشصطخزضثذغظءأإآةىؤئ",
}
_CENTRAL = ("polish", "czech", "hungarian", "romanian", "slovene", "german")
_HOME = {  # the alphabets each family of encodings was made for
    "cp1252": ("western",),
    "iso8859-15": ("western",),
    "cp850": ("western",),
    "cp437": ("western",),
    "mac-roman": ("western",),
    "cp1250": _CENTRAL,
    "iso8859-2": _CENTRAL,
    "cp852": _CENTRAL,
    "cp1254": ("turkish", "western"),
    "cp1257": ("baltic",),
}
_HANGUL = frozenset(  # the syllables of everyday Korean; Chinese misread as Korean meets few
    "이다는의에을가고하지도한로은사를리기인대나자시해서들어그라만부아정일제스수보전과원장무상국니면신소경"
    "주구유우조여동계성오비공민연관치분게진생트요와안선세거용방개물실중적러통당체마미까입말업결학양회발위"
    "단차화년월강남김박최천산울역호품금액명번름합격내출매점재건배송문량종류철영희현준별특급행교육디터드크"
)
_DOUBT = 2  # so many characters it takes before the evidence counts half
_CHINESE = frozenset({"gb18030", "big5"})
_SIGNS = "–—‘’“”„€£§°·•…«»²³½¼×µ®©™´¿¡ºª†\xa0"
_SIGN = re.compile(  # a sign between two letters, or any other one; apostrophes may stand there
    r"((?<=[^\W\d_])[^\w\s\x00-\x7f’·\xa0\xad](?=[^\W\d_]))|([^\w\s\x00-\x7f]|[\x80-\x9f\xa0])"
)
_WORD = re.compile(r"[^\W\d_]+")


@cache
def _weights(name: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for alphabet in _HOME.get(name, tuple(_FREQUENT)):
        letters = _FREQUENT[alphabet]
        for rank, letter in enumerate(letters):
            weight = 1.0 - 0.8 * rank / len(letters)
            weights[letter] = max(weights.get(letter, 0.0), weight)
    return weights


def rank(foreign: bytes) -> list[tuple[str, float]]:
    """
    Score every candidate that can decode the bytes, best first.

    foreign: lines of the file that hold non-ASCII bytes. Scores are means per such character.
    """
    sample = _sample(foreign)
    scores = []
    for name, rarity in CANDIDATES.items():
        text = _decode(sample, name)
        if text is not None:
            scores.append((name, naturalness(text, name) - rarity))
    scores.sort(key=lambda scored: -scored[1])
    return scores or [("cp1252", 0.0)]


def _sample(foreign: bytes) -> bytes:
    """Keep some distinct lines: more of them would only say the same again."""
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
        # A single undefined byte must not exclude cp1252: files are glued together in real life.
        if name != "cp1252":
            return None
        return foreign.decode(name, "replace")


def naturalness(text: str, name: str) -> float:
    """Give the mean of what each non-ASCII character earns, about -2 to 1, drawn to 0 by doubt."""
    points, count = 0.0, 0
    weights = _weights(name)
    for word in _WORD.findall(text):
        if not word.isascii():
            earned, foreign = _word_points(word, weights, is_chinese=name in _CHINESE)
            points, count = points + earned, count + foreign
    for inside, sign in _SIGN.findall(text):
        points += -0.8 if inside else 0.8 if sign in _SIGNS else _sign_points(sign)
        count += 1
    return points / (count + _DOUBT)


def _sign_points(sign: str) -> float:
    kind = unicodedata.category(sign)
    if kind in {"Cc", "Co", "Cn"} or sign == "\ufffd":
        return -2.0
    if kind == "So" or 0x2500 <= ord(sign) < 0x25A0:  # box drawing: DOS pages misread
        return -1.0
    return -0.5


def _word_points(word: str, weights: dict[str, float], *, is_chinese: bool) -> tuple[float, int]:
    foreign = [letter for letter in word if ord(letter) > 127]
    scripts = {_script(letter) for letter in word}
    points = sum(_letter_points(letter, weights, is_chinese=is_chinese) for letter in foreign)
    if len(scripts) > 1:
        points -= 1.5 * len(foreign)
    elif scripts == {"LATIN"}:
        # No European language writes most letters of a long word with accents.
        points -= max(0.0, len(foreign) - max(1, len(word) / 2))
    has_case = word.lower() != word.upper()
    if has_case and not (word.islower() or word.isupper() or word[1:].islower()):
        points -= 0.7 * len(foreign)
    if word[:-1].find("ς") >= 0:
        points -= 1.0
    return points, len(foreign)


def _letter_points(letter: str, weights: dict[str, float], *, is_chinese: bool) -> float:
    weight = weights.get(letter, weights.get(letter.lower()))
    if weight is not None:
        return weight
    code = ord(letter)
    if 0xAC00 <= code <= 0xD7A3:
        return 0.9 if letter in _HANGUL else 0.3
    if 0x3040 <= code <= 0x30FF:
        return 0.2 if is_chinese else 0.9  # kana have a place in Chinese codes, too
    if 0x4E00 <= code <= 0x9FFF:
        return 0.6
    return -0.8


@cache
def _script(letter: str) -> str:
    name = unicodedata.name(letter, "")
    first = name.split(" ", 1)[0]
    return "CJK" if first in {"CJK", "HIRAGANA", "KATAKANA", "HANGUL"} else first

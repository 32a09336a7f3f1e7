"""What the file says of a cell beyond its value: its number format, and digits a double loses."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from locale import windows_locale

from tabular.model.table import MONIES, TEXT_OF, BooleanText, DurationText, Kind, NumberText
from tabular.values.signs import any_currency, currencies_sharing, currency_of

BUILT_IN = {9: "0%", 10: "0.00%"}  # ECMA-376, 18.8.30; those of currencies depend on the language
_ZEROS = re.compile(r"0{2,20}")
_SECTION = re.compile(r'(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\\[])*')
_SILENT = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]', re.DOTALL)
_BRACKET = re.compile(r"\[\$([^\]-]+)(?:-([^\]]*))?\]")
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|_.|\*.|\[[^\]]*\]|([^\d#?.,;@\s"\\])', re.DOTALL)
_DURATION = re.compile(
    r"(-?)P(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:[.,]\d*)?S)?)?"
)
_AMERICAN = {"", "409", "en-US", "1009409"}


@dataclass(frozen=True, slots=True)
class Shown:
    """How a format shows a number. digits: whole numbers get leading zeros up to it."""

    kind: int = Kind.NUMBER
    digits: int = 0

    def text(self, text: str) -> str:
        """
        Return a number in the class of its kind, with leading zeros; other texts unchanged.

        A duration may be a text: what calamine returns for one of a day or more in an ods.
        """
        if self.kind == Kind.DURATION and type(text) is str:
            return duration_of(text)
        if type(text) is not NumberText:
            return text
        if self.kind == Kind.BOOLEAN:
            return BooleanText("false" if text == "0" else "true")
        if self.digits:
            return NumberText(text.zfill(self.digits)) if text.isdigit() else text
        return TEXT_OF[self.kind](text)


PLAIN = Shown()


def duration_of(text: str) -> str:
    """
    Return a duration of ISO 8601, as an ods holds it, in hours; other texts unchanged.

    >>> duration_of("PT26H14M00S"), duration_of("-P1DT00H05M09.5S"), duration_of("PT")
    ('26:14:00', '-24:05:09', 'PT')
    """
    match = _DURATION.fullmatch(text)
    if match is None or not any(match.groups()[1:]):
        return text
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups()[1:])
    whole = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    return DurationText(f"{match[1]}{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}")


def shown_by(code: str) -> Shown:
    """
    Return how a format code shows a number.

    >>> shown_by("0.0%").kind.name, shown_by('#,##0.00 "€"').kind.name, shown_by("00000").digits
    ('PERCENT', 'EURO', 5)
    >>> shown_by("[$CHF-807] #,##0.00").kind == MONIES["CHF"]
    True
    >>> shown_by('0" %"') == shown_by("# ?/?") == shown_by("General") == PLAIN
    True
    """
    if _ZEROS.fullmatch(code):
        return Shown(digits=len(code))
    section = _SECTION.match(code)
    first = section[0] if section else ""
    if "%" in _SILENT.sub("", first):
        return Shown(Kind.PERCENT)
    return Shown(_currency(first))


def _currency(section: str) -> int:
    if match := _BRACKET.search(section):
        sign, locale = match[1].strip(), match[2] or ""
        if not sign:
            return Kind.NUMBER
        if locale not in _AMERICAN and (sharing := currencies_sharing(sign)):
            return MONIES.get(_of_locale(locale, sharing), _shared_kind(sign))
        kind = _kind_of_sign(sign)
        return Kind.MONEY if kind == Kind.NUMBER else kind
    words = "".join("".join(parts) for parts in _LITERAL.findall(section))
    return _kind_of_sign(words.strip("()+- "))


def _of_locale(locale: str, sharing: tuple[str, ...]) -> str:
    """
    Return which of some currencies a Windows locale has, by its number.

    >>> _of_locale("411", ("JPY", "CNY")), _of_locale("x-sysdate", ("JPY", "CNY"))
    ('JPY', '')
    """
    if not re.fullmatch(r"[0-9A-Fa-f]{3,8}", locale):
        return ""
    from babel.numbers import get_territory_currencies

    name = windows_locale.get(int(locale[-4:], 16), "")
    current = get_territory_currencies(name.partition("_")[2]) if "_" in name else []
    return next((code for code in current if code in sharing), "")


def _shared_kind(sign: str) -> int:
    """Return the kind of amounts with a sign of several currencies; dollars may be any."""
    return MONIES.get(sign, Kind.MONEY)


def _kind_of_sign(sign: str) -> int:
    if not sign:
        return Kind.NUMBER
    code = "USD" if sign == "$" else currency_of(sign)
    if code is not None:
        return MONIES.get(code, Kind.MONEY)
    is_shared = re.fullmatch(any_currency(), sign) and not re.fullmatch("[A-Z]{3}", sign)
    return _shared_kind(sign) if is_shared else Kind.NUMBER


def telling(codes: Mapping[int, str], styles: Iterable[int]) -> dict[int, Shown]:
    """
    Return the styles whose format says more than "number", by their position.

    codes: format codes by their numbers. styles: the format number of each style, in order.
    """
    shown = {number: shown_by(code) for number, code in (BUILT_IN | dict(codes)).items()}
    formats = {place: shown.get(number, PLAIN) for place, number in enumerate(styles)}
    return {place: item for place, item in formats.items() if item != PLAIN}


def telling_styles(styles: bytes) -> dict[int, Shown]:
    """Return the cell styles of a part ``styles.xml`` whose format says more than "number"."""
    if not styles:
        return {}
    from defusedxml import ElementTree

    root = ElementTree.fromstring(styles)
    codes = {
        int(node.get("numFmtId", "0")): node.get("formatCode", "")
        for node in root.iter()
        if node.tag.endswith("}numFmt")
    }
    for table in root:
        if table.tag.endswith("}cellXfs"):
            return telling(codes, [int(style.get("numFmtId", "0")) for style in table])
    return {}


@dataclass(slots=True)
class _Marked:
    """Rows of one column, ascending, with a number each."""

    rows: array[int] = field(default_factory=lambda: array("I"))
    numbers: array[int] = field(default_factory=lambda: array("I"))

    def add(self, row: int, number: int) -> None:
        if self.rows and row < self.rows[-1]:  # no program writes rows out of order
            place = bisect_left(self.rows, row)
            self.rows.insert(place, row)
            self.numbers.insert(place, number)
            return
        self.rows.append(row)
        self.numbers.append(number)


class Marks:
    """The marked cells of one sheet, by column and row."""

    def __init__(self, styles: dict[int, Shown] | None = None) -> None:
        self.styles = styles or {}
        self._styled: dict[int, _Marked] = {}
        self._exact: dict[int, _Marked] = {}
        self._digits: list[bytes] = []
        self._texts: dict[int, dict[int, str]] = {}

    def add_style(self, row: int, column: int, style: int) -> None:
        """Record a cell whose style says more than "number"."""
        self._styled.setdefault(column, _Marked()).add(row, style)

    def add_digits(self, row: int, column: int, digits: bytes) -> None:
        """Record a whole number with more digits than a double holds."""
        self._exact.setdefault(column, _Marked()).add(row, len(self._digits))
        self._digits.append(digits)

    def add_text(self, row: int, column: int, text: str) -> None:
        """Record a text of which calamine loses characters."""
        self._texts.setdefault(column, {})[row] = text

    def applied(self, texts: Sequence[str], column: int, start: int) -> Sequence[str]:
        """Return the texts of a column from row ``start`` on, with their marks applied."""
        texts = _changed(texts, self._exact.get(column), start, self._in_full)
        texts = _changed(texts, self._styled.get(column), start, self._as_shown)
        if column not in self._texts:
            return texts
        whole = self._texts[column]
        return [whole.get(row, text) for row, text in enumerate(texts, start)]

    def _in_full(self, text: str, number: int) -> str:
        is_number = type(text) is NumberText
        return NumberText(self._digits[number].decode("ascii")) if is_number else text

    def _as_shown(self, text: str, style: int) -> str:
        return self.styles[style].text(text)


def _changed(
    texts: Sequence[str], marked: _Marked | None, start: int, change: Callable[[str, int], str]
) -> Sequence[str]:
    if marked is None:
        return texts
    first, last = bisect_left(marked.rows, start), bisect_left(marked.rows, start + len(texts))
    if first == last:
        return texts
    changed = list(texts)
    for row, number in zip(marked.rows[first:last], marked.numbers[first:last], strict=True):
        changed[row - start] = change(changed[row - start], number)
    return changed

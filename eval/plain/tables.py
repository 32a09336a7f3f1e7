"""A seed makes a plain table: the same seed, the same table."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

from eval.plain.columns import KINDS, NAMES

Shape = Literal["rectangle", "one_column", "one_row"]
SHAPES: tuple[Shape, ...] = ("rectangle", "rectangle", "rectangle", "one_column", "one_row")
LOCALES = {  # a locale, and the encodings besides Unicode that can write it
    "en_US": ("cp1252", "iso8859-15", "mac-roman", "cp437"),
    "de_DE": ("cp1252", "iso8859-15", "cp850", "mac-roman", "cp437", "cp1250"),
    "fr_FR": ("cp1252", "iso8859-15", "cp850", "mac-roman"),
    "es_ES": ("cp1252", "iso8859-15", "cp850"),
    "it_IT": ("cp1252", "iso8859-15", "mac-roman"),
    "pt_BR": ("cp1252", "iso8859-15", "cp850"),
    "sv_SE": ("cp1252", "iso8859-15", "cp850"),
    "pl_PL": ("cp1250", "iso8859-2", "cp852"),
    "cs_CZ": ("cp1250", "iso8859-2", "cp852"),
    "hu_HU": ("cp1250", "iso8859-2"),
    "tr_TR": ("cp1254",),
    "lt_LT": ("cp1257",),
    "ru_RU": ("cp1251", "koi8-r", "iso8859-5", "cp866"),
    "uk_UA": ("cp1251", "koi8-u"),
    "el_GR": ("cp1253", "iso8859-7"),
    "he_IL": ("cp1255",),
    "ar_SA": ("cp1256",),
    "ja_JP": ("shift_jis", "euc_jp"),
    "zh_CN": ("gb18030",),
    "zh_TW": ("big5",),
    "ko_KR": ("euc_kr",),
}
_WESTERN = tuple(LOCALES)[:7]
UNICODE = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32")
NOTHING = ("n/a", "-", "none", "k. A.", "#N/A", "NULL", "N/A", "--", "?", "unknown", "tbd")


@dataclass(frozen=True, slots=True)
class PlainTable:
    """
    The content of the file, and the result that a reader must return.

    ``header`` are distinct, non-empty texts; a cell of ``rows`` that is "" is empty, and no row is
    completely empty. ``kinds`` is the kind of each column.
    """

    seed: int
    shape: Shape
    locale: str
    kinds: tuple[str, ...]
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def records(self) -> list[list[str | None]]:
        """The rows as a reader returns them: an empty cell is None."""
        return [[text or None for text in row] for row in self.rows]


def plain_table(seed: int, shape: Shape | None = None) -> PlainTable:
    """Return the table of a seed; ``shape`` is drawn from the seed unless it is given."""
    seeded = random.Random(f"plain/{seed}")
    drawn_shape = seeded.choice(SHAPES)
    shape = shape or drawn_shape
    locale = seeded.choice(_WESTERN) if seeded.random() < 0.6 else seeded.choice(list(LOCALES))
    width = 1 if shape == "one_column" else seeded.randint(2 if shape == "rectangle" else 1, 12)
    height = 1 if shape == "one_row" else _height(seeded)
    kinds = tuple(seeded.choice(list(KINDS)) for _ in range(width))
    columns = [_column(seeded, kind, locale, height) for kind in kinds]
    header = _header(seeded, kinds)
    rows = [list(row) for row in zip(*columns, strict=True)]
    for row in rows:
        _fill_one(row, seeded, kinds, locale)
    return PlainTable(seed, shape, locale, kinds, header, tuple(map(tuple, rows)))


def _height(seeded: random.Random) -> int:
    return seeded.randint(2, 12) if seeded.random() < 0.5 else seeded.randint(2, 100)


def _column(seeded: random.Random, kind: str, locale: str, height: int) -> list[str]:
    draw = KINDS[kind](seeded)
    texts = [draw(seeded, locale) for _ in range(height)]
    gap = seeded.choice((0, 0, 0, 0, 0, 0.1, 0.3, 0.7, 1.0 if seeded.random() < 0.3 else 0.5))
    nothing = seeded.choice(NOTHING) if seeded.random() < 0.12 else ""
    share = seeded.choice((0.1, 0.3, 0.6)) if nothing else 0.0
    texts = [nothing if seeded.random() < share else text for text in texts]
    return ["" if seeded.random() < gap else text for text in texts]


def _header(seeded: random.Random, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Return the column names; a repeated name gets a number or another word."""
    names: list[str] = []
    style = seeded.choice((str, str, str, str.upper, str.lower, _snake))
    for kind in kinds:
        name = style(seeded.choice(NAMES[kind].split("|")))
        number = 2
        while name.lower() in [given.lower() for given in names]:
            name, number = f"{name.rstrip('0123456789 ')} {number}", number + 1
        names.append(name)
    return tuple(names)


def _snake(name: str) -> str:
    return name.lower().replace(" ", "_").replace(".", "")


def _fill_one(row: list[str], seeded: random.Random, kinds: tuple[str, ...], locale: str) -> None:
    """Fill a cell if the row is completely empty: a table has no such rows."""
    while not any(row):
        place = seeded.randrange(len(row))
        row[place] = KINDS[kinds[place]](seeded)(seeded, locale)

"""Where a table ends: notes, sources and totals below its body, found from the bottom up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal

from tabular.model.table import SkipReason
from tabular.reading.cells import Look
from tabular.reading.layout.after_break import end_before_break
from tabular.reading.layout.grid import TEXT, Grid
from tabular.reading.layout.profile import Profile
from tabular.reading.layout.region import Region
from tabular.values import amount

_TOLERANCE = Decimal("0.001")


def is_sum(grid: Grid, row: int, others: Sequence[int], columns: Sequence[int]) -> bool:
    """Return whether most numbers of a row are the sums of the other rows in their columns."""
    if len(others) < 2:
        return False
    checked = right = 0
    for column in columns:
        if grid.look(row, column) is not Look.NUMBER:
            continue
        claimed = amount(grid.cell(row, column))
        parts = [amount(grid.cell(other, column)) for other in others]
        known = [part for part in parts if part is not None]
        if claimed is None or len(known) < 2:
            continue
        checked += 1
        right += abs(sum(known) - claimed) <= max(abs(claimed) * _TOLERANCE, Decimal("0.011"))
    return checked > 0 and right * 2 >= checked


def is_labeled_sum(grid: Grid, row: int, others: Sequence[int], columns: Sequence[int]) -> bool:
    """
    Return whether a row is labeled as a total and adds up the other rows.

    If only one of them has numbers, the total repeats these and leaves some columns empty.
    """
    if not is_total(grid, row, columns):
        return False
    return is_sum(grid, row, others, columns) or _repeats_one(grid, row, others, columns)


def _repeats_one(grid: Grid, row: int, others: Sequence[int], columns: Sequence[int]) -> bool:
    claimed = [column for column in columns if grid.look(row, column) is Look.NUMBER]
    numbered = [
        other for other in others if any(amount(grid.cell(other, c)) is not None for c in claimed)
    ]
    if len(numbered) != 1 or not set(grid.filled(row)) < set(grid.filled(numbered[0])):
        return False
    _label, *rest = grid.filled(row)
    return all(  # a text of its own is that of a record: a company may be called Total
        amount(grid.cell(row, column)) == amount(grid.cell(numbered[0], column))
        if column in claimed
        else grid.cell(row, column).strip() == grid.cell(numbered[0], column).strip()
        for column in rest
    )


TOTAL = re.compile(
    r"\W*(?:grand |sub-?)?(?:totals?|sum|summe|gesamt(?:summe|betrag)?|zwischensumme|insgesamt|"
    r"somme|ensemble|sous-total|totale|subtotale|suma|razem|ogółem|soma|totaal|subtotaal|celkem|"
    r"összesen|yhteensä|i alt|итого|всего|σύνολο|(?:ال)?(?:مجموع|[إا]جمالي)|סך הכל|סה[\"״]כ|"
    r"סכום ביניים|סיכום|合计|合計|总计|小计|小計|総計|합계|소계|총계)\b.{0,40}",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"\W*(?:sources?|quellen?|notes?|anmerkung(?:en)?|hinweise?|footnotes?|fu(?:ß|ss)noten?|nota|"
    r"fuente|fonte|bron|źródło|legend[ea]?|stand|last (?:updated|modified)|©|copyright|page \d|"
    r"seite \d|end of (?:report|file|data)|generated|exported|printed|erstellt|disclaimer)\b|"
    r"\s*(?:\*+|\(?\d{1,2}\)|[¹²³†‡])\s*\S",
    re.IGNORECASE,
)
_TELLING_DIGITS = 3  # fewer add up by chance: flags, small counts
_SCATTERED = 3  # rows of isolated words at the end
_SENTENCE = 4  # words of a text in the first column that is not one of its values
_LONGER = 2  # times as many words as any text of the column: not a value
_DENSE = 0.95  # share of filled cells from which a row with blanks is not a row of the table
_LOOKED_AT = 200  # rows above that are compared
_USUAL = 0.05  # a pattern of filled cells this frequent in the body is data, not a note


def body_end(grid: Grid, body: Sequence[int], profile: Profile, columns: Sequence[int]) -> int:
    """
    Return the number of leading rows of ``body`` that are data; the rest are footers.

    body: rows that are not blank, in order, as row numbers of the grid.
    """
    half = (len(columns) + 1) // 2
    last_full = max((at for at, row in enumerate(body) if len(grid.filled(row)) >= half), default=0)
    patterns = Counter(grid.filled(row) for row in body[:last_full])
    end = len(body) - _scattered(grid, body, profile, columns, patterns)
    while end > 0 and _is_note(grid, body, end - 1, profile, columns, patterns):
        end -= 1
    while end > 1 and (
        _is_named_total(grid, body[:end], columns)
        or _is_unnamed_total(grid, body[:end], columns)
        or (end < len(body) and _is_foreign_key(grid, body[end - 1], profile, columns))
    ):
        end -= 1
        while end > 1 and _is_note(grid, body, end - 1, profile, columns, patterns):
            end -= 1
    return end_before_break(grid, body, end, lambda row: is_total(grid, row, columns))


def _scattered(
    grid: Grid,
    body: Sequence[int],
    profile: Profile,
    columns: Sequence[int],
    patterns: Counter[tuple[int, ...]],
) -> int:
    """Count the last rows with isolated words, some of them in columns of numbers."""
    run = 0
    for row in reversed(body):
        filled = grid.filled(row)
        words = all(grid.look(row, column) in TEXT for column in filled)
        if len(filled) * 3 > len(columns) or not words or patterns[filled] > 1:
            break
        run += 1
    last = body[len(body) - run :]
    return run if run >= _SCATTERED and any(profile.fit(grid, row) == 0 for row in last) else 0


def _is_named_total(grid: Grid, body: Sequence[int], columns: Sequence[int]) -> bool:
    """Return whether the last row is labelled a total, and adds up the data or the last group."""
    *others, last = body
    data: list[int] = []
    group: list[int] = []  # since the last total
    for row in others:
        group.append(row)
        if is_total(grid, row, columns):
            group = []
        else:
            data.append(row)
    return is_labeled_sum(grid, last, data, columns) or is_labeled_sum(grid, last, group, columns)


def _is_unnamed_total(grid: Grid, body: Sequence[int], columns: Sequence[int]) -> bool:
    """Return whether the last row has no key, and adds up all the others."""
    *others, last = body
    filled = grid.filled(last)
    has_no_key = columns[0] not in filled and len(filled) < len(columns)
    if any(grid.look(last, column) is not Look.NUMBER for column in filled):
        return False
    digits = sum(c.isdigit() for column in columns for c in grid.cell(last, column).lstrip("0."))
    return (
        has_no_key
        and len(others) > 2
        and digits >= _TELLING_DIGITS
        and is_sum(grid, last, others, columns)
    )


def reason_below(texts: Sequence[str | None]) -> SkipReason:
    """Return why a row below the data was skipped."""
    filled = [text.strip() for text in texts if text and not text.isspace()]
    if not filled:
        return "blank"
    return "total" if TOTAL.fullmatch(filled[0]) else "footer"


def is_total(grid: Grid, row: int, columns: Sequence[int]) -> bool:
    """Return whether a row's first text labels it a total."""
    return says_total(grid.cell(row, column) for column in columns)


def says_total(texts: Iterable[str]) -> bool:
    """Return whether the first text of a row labels it a total."""
    first = next((text for text in map(str.strip, texts) if text), "")
    return bool(TOTAL.fullmatch(first))


def _is_note(
    grid: Grid,
    body: Sequence[int],
    place: int,
    profile: Profile,
    columns: Sequence[int],
    patterns: Counter[tuple[int, ...]],
) -> bool:
    row = body[place]
    filled = grid.filled(row)
    if not filled:
        return True
    if len(filled) * 2 > max(2, len(columns)):
        return False
    if profile.fit(grid, row):
        return False
    texts = [grid.cell(row, column).strip() for column in filled]
    after_gap = place > 0 and body[place] - body[place - 1] > 1
    stands_first = filled[0] == columns[0] and len(filled) <= 2
    if (stands_first or after_gap) and any(_NOTE.match(text) for text in texts):
        return len(filled) <= 2
    if patterns[filled] > max(1, _USUAL * len(body)):
        return False
    if after_gap:
        return True
    if not stands_first or not _is_foreign(grid, body, place, len(columns)):
        return False
    if any(grid.look(row, column) is Look.PROSE for column in filled):
        return True
    is_worded = all(grid.look(row, column) not in _VALUES for column in filled)
    # Blank cells alone make no footer: without a gap, it takes a text that no column holds.
    return is_worded and len(columns) > 2 and len(texts[0].split()) >= _SENTENCE


def _is_foreign(grid: Grid, body: Sequence[int], place: int, width: int) -> bool:
    """
    Return whether a row differs from those above: they have no blanks, or much shorter first texts.
    """
    filled = grid.filled(body[place])
    others = body[max(0, place - _LOOKED_AT) : place]
    full = [row for row in others if len(grid.filled(row)) > len(filled)] or others
    if not full:
        return len(filled) == 1
    cells = sum(len(grid.filled(row)) for row in full)
    if cells >= _DENSE * len(full) * width:
        return True
    words = [len(grid.cell(row, filled[0]).split()) for row in full]
    return len(grid.cell(body[place], filled[0]).split()) > _LONGER * max(words)


_VALUES = frozenset({Look.NUMBER, Look.TIME})


def _is_foreign_key(grid: Grid, row: int, profile: Profile, columns: Sequence[int]) -> bool:
    """Return whether a row just above the notes has words where every key is a number or a date."""
    key = columns[0]
    return profile.shares.get(key, 0) > 0.9 and grid.look(row, key) in TEXT


def end_of_data(rows: Sequence[Sequence[str]], region: Region) -> int:
    """
    Return the number of leading rows of a table's tail that are not footer.

    rows: the last rows of a table too large to be laid out as a whole; ``region``: its head.
    """
    grid = Grid(rows, 0, len(rows), 0, max(map(len, rows), default=0))
    body = [row for row in range(len(rows)) if not grid.is_blank(row)]
    end = body_end(grid, body, region.profile, region.places)
    return body[end] if 0 < end < len(body) else len(rows)

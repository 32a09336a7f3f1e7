"""
Find a table's header: the text rows just above the first rows that look like its body.

Follows the line features of Pytheas (Christodoulakis et al. 2020) and Strudel (Jiang et al. 2021):
a cell's look compared with its column, emptiness, repetition, and the cells above and below.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tabular.model.sentences import Sentence, counted
from tabular.model.table import Evidence
from tabular.reading.cells import Look
from tabular.reading.layout.grid import NAMES, TEXT, TYPED, Grid, Span
from tabular.reading.layout.header_signs import counts_on, text_score, wholes
from tabular.reading.layout.pairs import below_pairs
from tabular.reading.layout.plain import plain_header
from tabular.reading.layout.profile import Profile
from tabular.reading.layout.region import Hints, SetApart

_FITS = 0.6
_UNIT = re.compile(
    r"[(\[].{1,40}[)\]]|%|‰|[€$£¥]|(?:EUR|USD|GBP|CHF|t|ha|min|h|d|°C|°F|ppm|Stk\.?|Stück|pcs|"
    r"[kMGTmcµn]?(?:g|m|l|s|W|Wh|V|A|Hz|Pa|N|J|mol|bar|K)[²³23]?|hPa|kWp|"
    r"percent|Prozent|number|count|units?)(?:\s?[/·*^]\s?"
    r"(?:(?:\d{1,3}\s?)?(?:[^\W\d_]|[²³])+[23]?|-?\d))*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Header:
    """The rows that name the columns, the units row below them, and where the body starts."""

    rows: tuple[int, ...]
    body: int  # first row that may belong to the body
    evidence: tuple[Evidence, ...]  # the deciding evidence comes first
    units: int | None = None

    @property
    def confidence(self) -> float:
        """The confidence in the header's position."""
        return self.evidence[0].score or 0.0


def header_of(
    rows: Sequence[Sequence[str]], merged: Sequence[Span], set_apart: SetApart | None
) -> Header:
    """Return the header of rows that are known to be one table, from its first row to its last."""
    return find_header(Grid.whole(rows), Hints(tuple(merged), set_apart=set_apart))


def find_header(grid: Grid, hints: Hints) -> Header:
    """Return the header of the grid's only table: rows that a user chose, or those detected."""
    header_rows, merged = hints.header_rows, hints.merged
    if header_rows is not None:
        chosen = Evidence("header", "a person chose it", 1.0)
        return Header(header_rows, max(header_rows, default=grid.top - 1) + 1, (chosen,))
    if shown := hints.set_apart:
        body = grid.top + shown.rows
        seen = Evidence("header", shown.how, 0.95)
        return Header(tuple(range(grid.top, body)), body, (seen,))
    grid = below_pairs(grid)
    if plain := plain_header(grid):
        return _complete(grid, plain.row, Evidence("header", plain.reason, plain.score), hints)
    dense = grid.dense_rows
    if not dense:
        return Header((), grid.top, (Evidence("header", "no row has enough cells", 0.2),))
    profile = _body_profile(grid, dense)
    first = _first_body_row(grid, dense, profile)
    if first is None:
        return _header_of_text(grid, dense, hints)
    if counts_on(grid, first, dense):
        reason = "its numbers are a series of years or days, unlike the values below"
        last = first + 1 if _names_years(grid, first, profile) else first
        return _complete(grid, last, Evidence("header", reason, 0.85), hints)
    above = [row for row in dense if row < first and not _is_title(grid, row)]
    if not above:
        reason = "the first row looks like all the others"
        return Header((), first, (Evidence("header", reason, 0.85),))
    reason = "text above columns of numbers, dates or codes"
    last = _last_name_row(grid, above, merged)
    if last + 1 < first and _names_the_rest(grid, last):
        last += 1
    return _complete(grid, last, Evidence("header", reason, 0.95), hints)


def _is_title(grid: Grid, row: int) -> bool:
    """Return whether a row repeats one text: a merged title, repeated in every cell."""
    texts = _texts(grid, row)
    return len(texts) > 1 and len(set(texts)) == 1


def _last_name_row(grid: Grid, above: Sequence[int], merged: Sequence[Span]) -> int:
    """
    Return the lowest of the text rows above the body that names a column.

    A sparser row that is only below named cells is the first group row of the body.
    """
    rows = list(above)
    body = set(grid.used_columns(row for row in grid.dense_rows if row > rows[-1]))
    while len(rows) > 1 and rows[-1] - rows[-2] == 1:
        upper, lower = grid.filled(rows[-2]), grid.filled(rows[-1])
        texts = _texts(grid, rows[-2])
        is_sparser = len(lower) < len(upper) and set(lower) <= set(upper) <= body
        if not is_sparser or len(set(texts)) < len(texts) or _is_units_row(grid, rows[-1]):
            break
        if any(span.top <= rows[-2] <= span.bottom for span in merged):
            break
        rows.pop()
    return rows[-1]


def _names_the_rest(grid: Grid, row: int) -> bool:
    """
    Return whether the row below, of words only, names columns that a row of names leaves unnamed.
    """
    below = grid.filled(row + 1)
    return not set(below) <= set(grid.filled(row)) and all(
        grid.look(row + 1, column) in TEXT for column in below
    )


def _body_profile(grid: Grid, dense: Sequence[int]) -> Profile:
    top = min(3, len(dense) // 2)
    return Profile.of(grid, dense[top:])


def _first_body_row(grid: Grid, dense: Sequence[int], profile: Profile) -> int | None:
    """Return the first dense row that fits the profile, or None if no column is typed."""
    if not profile.looks:
        return None
    for place, row in enumerate(dense):
        fit = profile.fit(grid, row)
        if fit is None or fit < _FITS:
            continue
        # A single row that happens to fit (a line of the preamble) is not the body yet.
        following = [profile.fit(grid, later) for later in dense[place + 1 : place + 4]]
        known = [value for value in following if value is not None]
        if not known or sum(value >= _FITS for value in known) * 2 >= len(known):
            return row
    return None


def _names_years(grid: Grid, row: int, profile: Profile) -> bool:
    """
    Return whether the row below a row of years names the columns that each year spans.

    A column that is unnamed to the left of the years is the corner of a plain table.
    """
    below = row + 1
    fit = profile.fit(grid, below)
    if fit is None or fit >= _FITS:
        return False
    named, names = grid.filled(row), grid.filled(below)
    are_names = all(grid.look(below, column) in NAMES for column in names)
    return are_names and any(column > min(named) for column in set(names) - set(named))


def _header_of_text(grid: Grid, dense: Sequence[int], hints: Hints) -> Header:
    """Decide for a table of text columns only: does the first row look like the others?"""
    first = _widest_of_top(grid, dense)
    below = [row for row in dense if row > first]
    if repeated := _repeated_values(grid, first, below):
        reason: str = Sentence(
            "its value {value} appears again below in the same column", value=repr(repeated)
        )
        return Header((), dense[0], (Evidence("header", reason, 0.6),))
    score = text_score(grid, first, below, Profile.of(grid, below)) if below else 0.7
    reason = "the first full row of a table of text, with names that appear nowhere below"
    return _complete(grid, first, Evidence("header", reason, score), hints)


def _widest_of_top(grid: Grid, dense: Sequence[int]) -> int:
    top = dense[:5]
    full = [row for row in top if len(grid.filled(row)) >= grid.usual_width]
    return full[0] if full else top[0]


def _repeated_values(grid: Grid, row: int, below: Sequence[int]) -> str | None:
    for column in grid.filled(row):
        text = grid.cell(row, column).strip()
        if any(grid.cell(later, column).strip() == text for later in below[:500]):
            whole = [grid.cell(row, other).strip() for other in grid.filled(row)]
            again = [
                later
                for later in below
                if [grid.cell(later, other).strip() for other in grid.filled(row)] == whole
            ]
            if not again:
                return text
    return None


def _complete(grid: Grid, last: int, why: Evidence, hints: Hints) -> Header:
    """Add the rows above that belong to the header, and separate a units row."""
    body = last + 1
    above = _row_above(grid, last)
    units = None
    if above is not None and _is_units_row(grid, last) and not _is_units_row(grid, above):
        units, last = last, above
        above = _row_above(grid, last)
    elif body < grid.bottom and not grid.is_blank(body) and _is_units_row(grid, body):
        units, body = body, body + 1
    rows = [last]
    while above is not None and _belongs(grid, above, rows[0], hints):
        rows.insert(0, above)
        above = _row_above(grid, above)
    evidence = [why]
    if len(rows) > 1:
        evidence.append(
            Evidence(
                "header",
                Sentence("{ROWS} that together name the columns", ROWS=counted(len(rows), "row")),
                0.8,
            )
        )
    if units is not None:
        texts = ", ".join(_texts(grid, units))[:60]
        evidence.append(
            Evidence(
                "units", Sentence("the row below the names holds units: {texts}", texts=texts), 0.9
            )
        )
    return Header(tuple(rows), body, tuple(evidence), units)


def _row_above(grid: Grid, row: int) -> int | None:
    return row - 1 if row > grid.top and not grid.is_blank(row - 1) else None


def _is_units_row(grid: Grid, row: int) -> bool:
    filled = grid.filled(row)
    texts = {column: grid.cell(row, column).strip() for column in filled}
    if len(filled) < 2 or not all(_UNIT.fullmatch(text) for text in texts.values()):
        return False
    below = range(row + 1, grid.bottom)
    others = [later for later in below if not _is_printed_again(grid, row, later)]
    # A currency or a letter that occurs again below is a value of its column.
    if any(grid.cell(later, c).strip() == texts[c] for later in others for c in filled):
        return False
    bare = (column for column, text in texts.items() if not text.startswith(("(", "[")))
    return all(_is_measured(grid, column, others) for column in bare)


def _is_printed_again(grid: Grid, row: int, later: int) -> bool:
    """Return whether a line and the one above it occur again below, as on a list's next page."""
    pairs = (
        [_texts(grid, at) for at in (item - 1, item)] for item in (max(row, grid.top + 1), later)
    )
    return next(pairs) == next(pairs)


def _is_measured(grid: Grid, column: int, below: Sequence[int]) -> bool:
    """Return whether a bare unit (A, h, N/A) can be one: the first value below it is not text."""
    looks = (grid.look(row, column) for row in below)
    return next((look not in TEXT for look in looks if look is not Look.EMPTY), True)


def _belongs(grid: Grid, above: int, below: int, hints: Hints) -> bool:
    """Return whether a row names columns that the header row below leaves unnamed."""
    names, groups = grid.filled(below), grid.filled(above)
    spans = [s for s in hints.merged if s.top <= above <= s.bottom and s.right > s.left]
    if len(groups) < 2 or _is_title(grid, above):
        over = [span for span in spans if span.left in groups] if hints.shows_spans else []
        return any(set(range(span.left, span.right + 1)) < set(names) for span in over)
    if _tells_apart(grid, above, below):
        return True
    spanning = {span.left for span in spans}
    typed = [
        column
        for column in groups
        if column not in spanning and grid.look(above, column) in TYPED - NAMES
    ]
    years = [number for number in wholes(grid, above, typed) if 1800 <= number <= 2200]
    if len(years) < len(typed) or len(years) == 1:
        return False
    if _texts(grid, above) == _texts(grid, below):
        return True
    opens = any(column not in names for column in groups)
    if opens and len(groups) * 2 > len({*names, *groups}) and not set(names) <= set(groups):
        return True  # each names what the other leaves unnamed
    if any(grid.look(above, column) is Look.PROSE for column in groups):
        return False
    if opens:
        return True
    texts = [text.lower() for text in _texts(grid, below)]
    return len(texts) != len(set(texts)) and len(spans) > 1


def _tells_apart(grid: Grid, above: int, below: int) -> bool:
    """Return whether each group has the same names: ``control | fire`` above ``X Y X Y``."""
    groups: list[list[str]] = []
    for column in grid.filled(below):
        if grid.cell(above, column).strip():
            groups.append([])
        if groups:
            groups[-1].append(grid.cell(below, column).strip())
    first, *others = [group for group in groups if group] or [[]]
    return len(first) > 1 and len(others) > 0 and all(group == first for group in others)


def _texts(grid: Grid, row: int) -> list[str]:
    return [grid.cell(row, column).strip() for column in grid.filled(row)]

"""What the ablation removes of reading texts, workbooks and the layout of every table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eval.reading.replacements import EMPTY, NEVER, NO, NONE, NOTHING, SAME, YES, Always, Leaves
from tabular.reading.layout.grid import Grid
from tabular.reading.text.alphabets import CANDIDATES


def _last(_: Grid, above: Sequence[int], __: object) -> int:
    """Take the lowest row as the one that names the columns."""
    return above[-1]


def _first(_: Grid, dense: Sequence[int]) -> int:
    """Take the first row as the one that names the columns of texts."""
    return dense[0]


def _bottom(grid: Grid, _: object) -> int:
    """Let a table go on to the end of its grid."""
    return grid.bottom


# By module of tabular.reading: (name, what takes its place).
TEXT: dict[str, tuple[tuple[str, Any], ...]] = {
    "layout.plain": (
        ("plain_header", NONE), ("_with_blanks", NONE), ("_opens_higher_header", NO),
        ("_continues", NO), ("_covers", YES), ("_are_distinct", YES), ("_STRAY", 0.0),
        ("_NEEDED", NEVER),
    ),
    "layout.header": (
        ("_is_title", NO), ("_last_name_row", _last), ("_names_the_rest", NO), ("_names_years", NO),
        ("_repeated_values", NONE), ("_widest_of_top", _first), ("_is_units_row", NO),
        ("_is_printed_again", NO), ("_is_measured", YES), ("_belongs", NO), ("_tells_apart", NO),
        ("_FITS", 0.0),
    ),
    "layout.header_signs": (
        ("counts_on", NO), ("_continues", NO), ("text_score", Always(0.6)), ("_tells", NO),
        ("_REPEATS", 0.0), ("_LIKE", -1.0), ("_TOO_FEW", 0),
    ),
    "layout.pairs": (("below_pairs", SAME), ("_are_keyed", NO)),
    "layout.footer": (
        ("is_sum", NO), ("is_labeled_sum", NO), ("_repeats_one", NO), ("_scattered", Always(0)),
        ("_is_named_total", NO), ("_is_unnamed_total", NO), ("_is_note", NO), ("_is_foreign", YES),
        ("_is_foreign_key", NO), ("_NOTE", NOTHING), ("TOTAL", NOTHING), ("_TELLING_DIGITS", 0),
        ("_SCATTERED", NEVER), ("_SENTENCE", 0), ("_LONGER", NEVER), ("_DENSE", NEVER),
        ("_USUAL", NEVER),
    ),
    "layout.after_break": (
        ("end_before_break", Leaves(2)), ("_last_of_block", Always(0)), ("_ALWAYS", 0.5),
        ("_FEWEST", 0), ("_FILLED", -1.0), ("_FITTING", -1.0), ("_Above.is_regular", YES),
    ),
    "layout.tables": (
        ("_without_comments", lambda grid: (grid, frozenset())), ("_is_ruler", NO),
        ("_side_by_side", lambda grid, _: [grid]), ("_tables_above", EMPTY),
        ("_next_table", _bottom), ("_is_cut_of", NO), ("_opens_table", NO),
        ("_repeated_captions", Always(set())), ("_is_caption", NO), ("_is_leading_total", NO),
        ("_COMMENTS", ()), ("_ranked", lambda regions: list(regions)), ("_LEAST_ROWS", 2),
    ),
    "layout.naming": (("titles_next_to", Always({})), ("_reaches", YES), ("_FEWEST_VALUES", 0)),
    "layout.profile": (
        ("_alike", lambda look, usual: float(look is usual)), ("_TYPED_SHARE", 0.5),
        ("_PURE_SHARE", 0.6), ("_AMBIGUOUS", frozenset()),
    ),
    "related_tables": (
        ("related_tables", EMPTY), ("are_one_table", NO), ("share_rows", NO), ("_are_series", YES),
        ("_which_table", EMPTY), ("_which_header", EMPTY),
    ),
    "text.dialect": (
        ("is_one_column", NO), ("_is_each_quoted", NO), ("_is_value", NO), ("_is_even", YES),
        ("_has_separated_cells", YES), ("_is_punctuation", NO), ("_judged_by_first_line", SAME),
        ("separator_of", NONE), ("_escapes", Always(("",))), ("_has_digits", NO),
        ("_weight", Always(1.0)), ("_coverage", Always(1.0)), ("_quote_factor", Always(1.0)),
        ("_is_known", YES), ("_pattern_score", Always(1.0)), ("_WEAK_WEIGHT", 1.0),
        ("_FIXED_WIDTH", 1.0), ("_FIRST_UNCUT", 1.0), ("_CLOCK", NOTHING), ("_MEASURE", NOTHING),
        ("_are_quoted", NO),
    ),
    "text.fixed_width": (("find_cuts", EMPTY), ("_separates", NO)),
    "text.records": (
        ("_missing_delimiter", NONE), ("_inner_quotes", NONE), ("_is_escaped", NO),
    ),
    "text.fitting": (("fit_header", NO), ("Fitting.fit", NONE), ("_CERTAIN", 0.0)),
    "text.encoding": (
        ("_is_all_controls", NO), ("_is_damaged_utf8", NO), ("_has_wide_lines", YES),
        ("_wide_without_mark", NONE),
    ),
    "text.alphabets": (
        ("separator_of", Always("")), ("_without_signs", Leaves(1)), ("are_close", NO),
        ("_sign_points", Always(0.0)), ("_form_points", Always(0.0)),
        ("_ideograph_points", Always(0.0)), ("_alphabet_points", Always(0.0)), ("_is_wide", NO),
        ("_CLOSE", 0.0), ("_CLOSE_OF_FEW", 0.0), ("_CLOSE_OF_UNNATURAL", 0.0),
        ("_NO_LETTERS", 0.0), ("_SEPARATED", 0.0), ("_DOUBT", 1e-9), ("_AREA", NOTHING),
        ("_PRICE", NOTHING), ("_GLUED", NOTHING),
        ("CANDIDATES", dict.fromkeys(CANDIDATES, 0.0)),
    ),
    "workbook.tables": (("_unvalued_totals", Always(set())),),
}  # fmt: skip

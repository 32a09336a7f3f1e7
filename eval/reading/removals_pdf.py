"""What the ablation removes of reading PDFs: pages, grids, and what puts tables together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from eval.reading.replacements import (
    EMPTY,
    LISTED,
    NEVER,
    NO,
    NONE,
    NOTHING,
    SAME,
    YES,
    Always,
    Leaves,
)
from tabular.reading.pdf.grids.columns import Line
from tabular.reading.pdf.grids.grid import Grid
from tabular.reading.pdf.heading import header_height
from tabular.reading.pdf.pages.page import Word

COMMON_BLANK = 0.25  # of a line's height, in most fonts


def _whole_block(block: Sequence[Line]) -> list[list[Line]]:
    return [list(block)]


def _all_titles(below: Grid, _: Grid) -> int:
    return header_height(below.rows, below.parting_rules)


def _uncut(word: Word, _: object) -> Iterator[Word]:
    yield word


# By module of tabular.reading: (name, what takes its place).
PAGES: dict[str, tuple[tuple[str, Any], ...]] = {
    "pdf.pages.document": (("pictured_lines", Always([])), ("is_covered", NO)),
    "pdf.pages.letters": (("_without_shadows", SAME), ("HYPHENS", {})),
    "pdf.pages.right_to_left": (
        ("_is_shadow", NO), ("plain", SAME), ("_with_marks", SAME), ("_bracketed", SAME),
        ("_signed", SAME),
    ),
    "pdf.pages.running_lines": (
        ("without_running_lines", LISTED), ("_is_number", NO), ("EDGE", 1.0), ("APART", -1.0),
        ("WIDER", 0.0), ("SAME_PLACE", NEVER), ("TIME", NOTHING),
    ),
    "pdf.pages.strokes": (("_thin_bounds", EMPTY), ("joined", SAME)),
}  # fmt: skip
GRIDS: dict[str, tuple[tuple[str, Any], ...]] = {
    "pdf.grids.aligned": (
        ("_with_lines_between", SAME), ("_is_set_off", NO), ("_without_lone_ends", SAME),
        ("_is_of_rows", NO), ("_belong", NO), ("_are_upper_titles", NO), ("_is_free", NO),
        ("_is_note", NO), ("_titles", NO), ("_precedes", NO), ("_goes_on", NO),
        ("below_top_rule", SAME), ("read_by", NONE), ("LONE_LINES", NEVER), ("FAR", NEVER),
        ("FITTING", 0.0), ("INSIDE", -NEVER), ("SAME_STEP", NEVER), ("HEADING_WORDS", NEVER),
        ("ENDS", NEVER),
    ),
    "pdf.grids.choosing": (
        ("trimmed", SAME), ("_is_caption", NO), ("is_chart", NO), ("_best", lambda grid, _: [grid]),
        ("WEAKEST", 0.0), ("AS_GOOD", 0.0), ("POOR", NEVER), ("BETTER", 1.0),
    ),
    "pdf.grids.columns": (
        ("_cell_gaps", EMPTY), ("_shared_gaps", EMPTY), ("_ends_run", NO), ("_is_run_gap", NO),
        ("writes_blanks", NO), ("objects_are_cells", NO), ("_meets_ideographs", NO),
        ("_is_mixed", NO), ("_two_numbers", NO), ("_spanning", NO),
        ("_parted", lambda band, _: [band]), ("usual_blank", Always(COMMON_BLANK)),
        ("NOTE_MARK", NOTHING), ("BULLET", NOTHING), ("LEADING_DIGITS", NOTHING), ("STRAY", 0.0),
    ),
    "pdf.grids.content": (
        ("looks_tabular", YES), ("is_list", NO), ("_runs_over", NO), ("is_year", NO),
        ("title_rules", EMPTY), ("row_ends", EMPTY), ("painted_bands", Always([])),
        ("parting_heights", EMPTY), ("EMPTIEST", 0.0), ("CAPTION", NOTHING), ("SECTION", NOTHING),
        ("RUNNING", NEVER), ("TITLE_RULE", 0.0),
    ),
    "pdf.grids.folding": (
        ("_overlapping", LISTED), ("_partings", EMPTY), ("_are_parted", NO), ("_leads", NO),
        ("_limits", Always([])), ("_is_full", NO), ("_goes_on", Always("")),
        ("_lacks_every_value", NO), ("_is_running", NO), ("_labels_joined", SAME),
        ("_label_reads_on", YES), ("_reads_on", NO), ("_reads_on_in", NO),
        ("OTHER_WEIGHT", NEVER), ("TIGHTER", 0.0), ("MOSTLY", -1.0), ("LEAST_BANDS", 0),
        ("LEAST_ANCHORS", 0),
    ),
    "pdf.grids.grid": (
        ("is_script_gap", NO), ("changes_script", NO), ("line_ends", EMPTY),
        ("HYPHENATED", NOTHING),
    ),
    "pdf.grids.group_titles": (
        ("with_group_titles_first", LISTED), ("_is_full", YES), ("_is_worded", YES),
    ),
    "pdf.grids.ruled": (
        ("ruled_grids", Always([])), ("_hidden_borders", Always([])), ("_add_walls", SAME),
        ("_add_floors", SAME), ("_title_lines", NONE), ("row_bands", Always([])), ("_wraps", NO),
        ("_typed_lines", YES), ("_cut", _uncut), ("CROSSED", 0.0), ("FULL_LINES", 0.0),
    ),
    "pdf.grids.spacing": (
        ("follows_rows", NO), ("wraps_alike", NO), ("leads_alike", NO), ("are_spaced", NO),
        ("rows_alike", EMPTY), ("columns_of_one", EMPTY), ("_near", YES),
    ),
    "pdf.grids.strips": (
        ("_without_side_text", lambda strips, edges: (strips, edges)), ("_title_next_to", NO),
        ("_are_labels", NO), ("_rare_end", NO),
    ),
    "pdf.grids.title_lines": (
        ("parted_at_titles", _whole_block), ("_names_all", YES), ("_is_alike", NO),
        ("_lone_lines_above", Always(0)),
    ),
    "pdf.grids.upper_titles": (
        ("with_upper_titles_spread", LISTED), ("UNEVEN", 0.0), ("OFF_CENTRE", NEVER),
        ("BEYOND", NEVER), ("SLACK", 0.0),
    ),
    "pdf.grids.wrapping": (
        ("reads_as_wrapped", YES), ("_are_alike", NO), ("_stacks_values", NO), ("is_title_of", NO),
        ("_holds_several", NO), ("had_no_space", YES), ("_anchors", Always(frozenset())),
        ("SCALED", 0.0), ("MISFITS", 0.0), ("BROKEN", 0.0),
    ),
}  # fmt: skip
JOINED: dict[str, tuple[tuple[str, Any], ...]] = {
    "pdf.doubts": (
        ("doubts", EMPTY), ("_lone_cells", EMPTY), ("_unreadable_characters", EMPTY),
        ("_titles", EMPTY),
    ),
    "pdf.heading": (
        ("set_apart", NONE), ("_heavier_rows", Always(0)), ("_rows_above_rule", NONE),
        ("_names_what_is_open", NO),
    ),
    "pdf.leftovers": (("_is_row", NO), ("_goes_on", NO), ("_is_before", NO)),
    "pdf.reader": (("table_questions", EMPTY), ("joined_questions", EMPTY), ("BACKWARD", NEVER)),
    "pdf.remnant": (("remnant", NONE), ("_belongs", NO), ("TOP", 1.0), ("FAR", NEVER)),
    "pdf.sparse_tables": (
        ("with_spare", SAME), ("_next_to", Always([])), ("_going_on", Always([])),
        ("_several_columns", NONE), ("_one_column", NONE), ("_has_named_values", NO),
        ("_has_bold_titles", NO), ("_has_painted_titles", NO), ("_is_short", YES),
    ),
    "pdf.stitching": (
        ("_continues", NO), ("_height_of_own", _all_titles), ("_begins_with_values", NO),
        ("_fits_kinds", NO), ("_is_typed", YES), ("begins_apart", NO), ("adds_nothing", NO),
        ("same_columns", YES), ("_repeated_titles", Always(0)), ("_cut_by_page", NO),
        ("_reads_on", NO), ("CONTINUED", NOTHING), ("PAGE_PHRASE", NOTHING), ("EDGE_SLACK", 0.0),
        ("KEYED", 0.0),
    ),
    "pdf.tables": (
        ("_totals", Always([])), ("_without_closing_rows", Leaves(3, is_listed=True)),
        ("_doubts", EMPTY), ("_join_issues", EMPTY), ("_issues", EMPTY),
        ("_pairs_above", Always({})),
    ),
    "pdf.whole_words": (
        ("with_whole_words", LISTED), ("_total_label", Always("")), ("_is_named", NO),
        ("_is_one", NO), ("_is_file", NO), ("_ends", NO), ("_is_like", NO), ("_ends_within", NO),
    ),
}  # fmt: skip
PDF = {**PAGES, **GRIDS, **JOINED}

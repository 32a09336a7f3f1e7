"""Plain tables, generated, read back: nothing odd in them, so nothing may go wrong."""

import pytest

from eval.plain import FORMATS, check, plain_table, write

SEEDS = range(300)
FEW = 10  # of the tables are written as every format


@pytest.mark.parametrize("seed", SEEDS[::30])
def test_a_seed_makes_the_same_table_again_with_distinct_names_and_no_empty_row(seed):
    table = plain_table(seed)

    assert table == plain_table(seed)
    assert len({name.lower() for name in table.header}) == len(table.header) > 0
    assert all(any(row) for row in table.rows)
    assert all(text == text.strip() for row in (table.header, *table.rows) for text in row)


@pytest.mark.parametrize("first", SEEDS[::50])
def test_a_text_file_is_read_back_as_it_was_written_or_asked_about(tmp_path, first):
    tables = [plain_table(seed) for seed in range(first, first + 50)]

    verdicts = {table.seed: check(table, write(table, "csv", tmp_path)) for table in tables}

    assert {seed: verdict.why for seed, verdict in verdicts.items() if not verdict.is_right} == {}


@pytest.mark.parametrize("file_format", sorted(set(FORMATS) - {"csv"}))
def test_a_workbook_or_a_web_page_is_read_back_as_it_was_written(tmp_path, file_format):
    tables = [plain_table(seed) for seed in SEEDS[::FEW]]

    verdicts = {table.seed: check(table, write(table, file_format, tmp_path)) for table in tables}

    assert {seed: verdict.why for seed, verdict in verdicts.items() if not verdict.is_right} == {}

"""Names of values say what they are."""

import doctest

import pytest

from scripts import check_names
from scripts.check_names import findings


@pytest.mark.parametrize(
    "source",
    [
        "for one in rows: pass",
        "rows = [one for one in rows]",
        "pairs = {one: other_one for one, other_one in rows}",
        "found = 1",
        "found: int = 1",
        "found += 1",
        "first, *told = rows",
        "if asked := rows: pass",
        "with open(path) as told: pass",
        "def read(path, *, found): pass",
        "key = lambda one: one[0]",
        "def asked(): pass",
        "from rows import all_rows as found",
        "try: pass\nexcept OSError as told: pass",
        "said = run(page)",
        "def test_a_page_is_no_file(): pass",
        "def test_nobody_waits(): pass",
        "class Room: pass",
    ],
)
def test_a_name_that_says_nothing_is_refused(source):
    assert list(findings("a.py", source)) != []


@pytest.mark.parametrize(
    "source",
    [
        "rows = [row for row in found]",
        "for everyone in rows: pass",
        "found_rows = 1",
        "row.found = 1",
        "read(found=1)",
        "text = 'one = 1'",
        "def test_a_row_is_no_longer_open(): pass",
        "def test_the_standing_of_a_catalog_is_shown(): pass",
        "def test_tables_understand_each_other(): pass",
    ],
)
def test_other_uses_of_a_word_are_left_alone(source):
    assert list(findings("a.py", source)) == []


def test_a_member_of_the_api_keeps_its_name():
    assert list(findings("schemas/shapes/changesets.py", "told = 1")) == []
    assert list(findings("schemas/shapes/changesets.py", "found = 1")) != []


def test_the_examples_hold():
    assert doctest.testmod(check_names).failed == 0

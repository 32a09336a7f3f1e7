"""Groups of equal rows are those that a comparison of every row with every other finds."""

import random

import pytest

from staging.duplicates.grouping import Grouping, find

CHOICES = {"few": "ab", "some": "abcdef", "many": [f"v{n}" for n in range(40)]}


def texts_of(rows, seed):
    chosen = random.Random(seed)
    return {
        name: [chosen.choice([None, *values]) for _ in range(rows)]
        for name, values in CHOICES.items()
    }


def expected(columns, names, *, with_empty):
    groups = {}
    for row, values in enumerate(zip(*(columns[name] for name in names), strict=True)):
        if with_empty or any(values):
            groups.setdefault(values, []).append(row)
    return [rows for rows in groups.values() if len(rows) > 1]


@pytest.mark.parametrize("names", [("few", "some", "many"), ("many", "few"), ("few", "some")])
def test_rows_that_are_equal_in_all_fields_are_found(staged, names):
    columns = {name: texts_of(120, len(names))[name] for name in names}

    (group,) = find(staged(columns, fields=[{"key": name} for name in names]), Grouping("all"))

    assert list(group.groups()) == expected(columns, names, with_empty=True)
    assert len(group) > 0


def test_an_empty_value_is_not_a_duplicate_by_a_rule(staged):
    columns = texts_of(120, 7)
    fields = [{"key": name} for name in CHOICES]
    fields[2]["validations"] = [{"validate": "unique"}]

    (group,) = find(staged(columns, fields=fields), Grouping("unique"))

    assert list(group.groups()) == expected(columns, ["many"], with_empty=False)


def test_rows_that_all_differ_are_in_no_group(staged):
    columns = {"first": [f"v{row}" for row in range(9)], "second": ["same"] * 9}

    (group,) = find(staged(columns, fields=[{"key": "first"}, {"key": "second"}]), Grouping("all"))

    assert list(group.groups()) == []

"""docs/validations.md: its examples fail as documented, and it lists every code."""

import typing

import pytest

from tabular.model.catalog import Rule
from tabular.model.issue import SENTENCES
from tests.tabular.docs.tables import examples_of, rows_of
from tests.tabular.tables import staged

EXAMPLES = examples_of("validations.md")
CODES = rows_of("validations.md", "code", "severity", "message", "hint")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e["rule"]["validate"])
def test_an_example_breaks_where_the_page_says(example, tmp_path):
    others = example.get("others", {})
    names = {"it", *others, *(name for row in example["rows"] for name in row)}
    fields = [
        {
            "key": name,
            "columnType": others.get(name, "string"),
            **({"validations": [example["rule"]]} if name == "it" else {}),
        }
        for name in sorted(names)
    ]
    fields = [
        f | {"columnType": example.get("type", "string")} if f["key"] == "it" else f for f in fields
    ]
    columns = {name: [row.get(name) for row in example["rows"]] for name in sorted(names)}

    issues = staged(tmp_path, fields, columns)

    assert [row for row, field, _ in issues if field == "it"] == example["broken"]
    assert {code for _, _, code in issues} == {example["rule"]["validate"]}


def test_every_rule_has_an_example():
    shown = {example["rule"]["validate"] for example in EXAMPLES}

    assert {r for r in typing.get_args(Rule) if not r.startswith("reference_")} == shown


def test_the_page_lists_every_code_with_its_words():
    assert {row[0]: (row[2], row[3]) for row in CODES} == SENTENCES

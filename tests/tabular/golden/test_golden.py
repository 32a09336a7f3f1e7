"""The same input with the same pins has the same output, including dependencies."""

import json

import pytest

from tests.tabular.golden.corpus import cases, expected_file, made_of


@pytest.mark.parametrize("name", list(cases()))
def test_output_changes_only_with_its_pin(name):
    expected = json.loads(expected_file(name).read_text("utf-8"))

    assert made_of(name) == expected, "raise the pin in tabular/versions.py, write the corpus again"

"""A pointer leads to the line where the author finds the member."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.model.i_json import escaped, lines_of

TEXT = r"""{
  "key": "with \" and { in it",
  "entries": [
    {"id": "a",
     "fields": [
       {"key": "x"}, {"key": "y",
        "a/b~c": [[], {}, 1,
          2]}
     ]}
  ]
}"""


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("", 1),
        ("/key", 2),
        ("/entries", 3),
        ("/entries/0", 4),
        ("/entries/0/fields/1/key", 6),
        ("/entries/0/fields/1/a~1b~0c", 7),
        ("/entries/0/fields/1/a~1b~0c/3", 8),
        ("/entries/0/label", 4),  # missing: shown where its object begins
        ("/entries/7/id", 3),
        ("/nothing", 1),
    ],
)
def test_a_pointer_has_a_line(pointer, line):
    assert lines_of(TEXT, [pointer]) == {pointer: line}


def _pointers(document, pointer=""):
    yield pointer, document
    if isinstance(document, dict):
        for name, value in document.items():
            yield from _pointers(value, f"{pointer}/{escaped(name)}")
    if isinstance(document, list):
        for index, value in enumerate(document):
            yield from _pointers(value, f"{pointer}/{index}")


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    )
)
def test_each_value_of_an_indented_document_is_on_its_own_line(document):
    text = json.dumps(document, indent=1)
    pointers = [pointer for pointer, _ in _pointers(document)]

    lines = lines_of(text, pointers)

    assert sorted(lines.values()) == list(lines.values())  # document order
    assert len(set(lines.values())) == len(pointers)

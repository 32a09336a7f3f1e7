"""A value of a dataclass survives its column, whatever its members, and names its version."""

import json
from dataclasses import dataclass, field
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.typed_json import TypedJsonField

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@dataclass(frozen=True, slots=True)
class Place:
    VERSION: ClassVar[int] = 2

    name: str = ""
    about: dict = field(default_factory=dict)
    floor: int | None = None


FIELD = TypedJsonField(Place)


def read(stored: str):
    return FIELD.from_db_value(stored, None, None)


@given(st.builds(Place, st.text(), st.dictionaries(st.text(), JSON), st.none() | st.integers()))
def test_a_value_is_read_as_it_was_written(place):
    assert read(FIELD.get_prep_value(place)) == place


def test_a_member_that_an_earlier_engine_did_not_know_has_its_default():
    assert read('{"version": 1, "name": "Ulm"}') == Place("Ulm")


def test_the_version_is_stored_with_the_value():
    assert json.loads(FIELD.get_prep_value(Place("Ulm"))) == {
        "version": 2, "name": "Ulm", "about": {},
    }  # fmt: skip


def test_a_value_of_a_later_engine_is_refused():
    with pytest.raises(ValueError, match="a later engine wrote this Place"):
        read('{"version": 3, "name": "Ulm"}')


def test_no_value_is_null():
    assert FIELD.get_prep_value(None) is None
    assert read(None) is None

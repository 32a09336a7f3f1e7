"""What a host answers about keys: judged as a body of ``PUT references/{entity}`` is."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from references.snapshots import Unacceptable, read_snapshot
from tabular.resolving.keys import key_text
from tests.references.conftest import V1

KEYS = ["A", "B", "C"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=3), parts),
    max_leaves=8,
)
ITEM = st.fixed_dictionaries(
    {
        "ref": st.sampled_from(["1", "2", " 1", "", "a" * 201]) | JSON,
        "values": st.fixed_dictionaries(
            {"no": st.sampled_from([*KEYS, "D", "a", " A "]) | JSON}, optional={"x": JSON}
        ),
    },
    optional={"more": st.none()},
)
ANSWER = st.fixed_dictionaries({"items": st.lists(ITEM, max_size=4) | JSON}) | JSON


def read(content, key="no", requested=KEYS):
    return read_snapshot(content, key=key, requested=requested)


@given(ANSWER)
def test_an_accepted_answer_has_each_key_and_ref_once_and_only_keys_that_were_sent(answer):
    try:
        items = read(json.dumps(answer).encode()).items
    except Unacceptable:
        return
    keys = [key_text(item.values["no"]) for item in items]

    assert set(keys) <= set(KEYS)
    assert len(set(keys)) == len(keys) == len({item.ref for item in items})


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(content):
    with suppress(Unacceptable):
        read(content)


def test_no_entity_is_an_answer():
    assert read(b'{"items":[]}').items == []


def test_a_refusal_quotes_no_value():
    with pytest.raises(Unacceptable) as refusal:
        read(b'{"items":[{"ref":"1","values":{"no":"Ada Lovelace"}}]}')

    assert "Ada" not in str(refusal.value)


ITEMS = {
    "a_plain_one": {"ref": "1", "values": {"no": "A", "name": "Ada", "tags": ["a", 1, None]}},
    "a_large_number": {"ref": "1", "values": {"no": "A", "n": 2**60}},
    "blanks_around_a_ref": {"ref": " 1 ", "values": {"no": "A"}},
    "a_blank_ref": {"ref": " ", "values": {"no": "A"}},
    "a_long_ref": {"ref": "a" * 201, "values": {"no": "A"}},
    "a_number_as_ref": {"ref": 1, "values": {"no": "A"}},
    "without_ref": {"values": {"no": "A"}},
    "without_values": {"ref": "1"},
    "a_list_of_values": {"ref": "1", "values": [1]},
    "null_values": {"ref": "1", "values": None},
    "an_unknown_member": {"ref": "1", "values": {"no": "A"}, "key": "A"},
    "nul": {"ref": "1", "values": {"no": "A", "x": "\0"}},
    "surrogate": {"ref": "1", "values": {"no": "A", "\ud800": 1}},
    "a_text": "1",
}
TOPS = {"as_of": {"asOf": "2026-11-20T12:00:00Z"}, "not_as_of": {"asOf": 5}, "more": {"next": ""}}


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(ITEMS))
def test_an_item_is_accepted_both_ways_or_neither(client, name):
    assert_judged_alike(client, {"items": [ITEMS[name]]})


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(TOPS))
def test_a_body_is_accepted_both_ways_or_neither(client, name):
    assert_judged_alike(client, {"items": [ITEMS["a_plain_one"]], **TOPS[name]})


def assert_judged_alike(client, body):
    text = json.dumps(body)
    response = client.put(f"{V1}/references/customer", text, content_type="application/json")
    try:
        read(text.encode())
        is_accepted = True
    except Unacceptable:
        is_accepted = False

    assert is_accepted == (response.status_code == 200), response.content

import re

from common.ids import new_id


def test_an_id_is_a_prefix_and_26_characters_of_crockford_base_32():
    assert re.fullmatch(r"rec_[0-9a-hjkmnp-tv-z]{26}", new_id("rec_"))


def test_ids_sort_by_the_millisecond_they_were_made_in(monkeypatch):
    ids = []
    for nanoseconds in (1_700_000_000_000_000_000, 1_700_000_000_001_000_000):
        monkeypatch.setattr("time.time_ns", lambda at=nanoseconds: at)
        ids.append(new_id("rec_"))

    assert ids == sorted(ids)
    assert ids[0][:14] != ids[1][:14]


def test_ids_of_one_millisecond_differ(monkeypatch):
    monkeypatch.setattr("time.time_ns", lambda: 1_700_000_000_000_000_000)

    assert len({new_id("rec_") for _ in range(1_000)}) == 1_000

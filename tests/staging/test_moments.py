"""Rows are ordered by the moments of a date or an instant."""

import pytest

from staging.duplicates.moments import NEVER, NoDateField, moments_of


@pytest.mark.parametrize(
    ("column_type", "texts", "order"),
    [
        ("date", ["2024-03-01", "2024-02-28", None], [2, 1, 0]),
        # 12:30 in Berlin is before 11:45 in London.
        ("datetime", ["2024-03-01T12:30:00+01:00", "2024-03-01T11:45:00Z", None], [2, 0, 1]),
        ("datetime", ["2024-03-01T07:00:00-05:00", "2024-03-01T11:45:00"], [1, 0]),
    ],
)
def test_the_newest_is_the_latest(staged, column_type, texts, order):
    table = staged({"at": texts}, fields=[{"key": "at", "columnType": column_type}])

    moments = moments_of(table, "e.at").tolist()

    assert sorted(range(len(texts)), key=moments.__getitem__) == order
    assert [moment == NEVER for moment in moments] == [text is None for text in texts]


def test_a_field_without_dates_is_refused(staged):
    table = staged({"at": ["2024-03-01"]}, fields=[{"key": "at"}])

    with pytest.raises(NoDateField):
        moments_of(table, "e.at")

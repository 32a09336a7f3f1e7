"""The picture of a table: what is counted, and which values are kept."""

import json
import random
from datetime import date

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.drift.comparing import compare
from feeds.drift.measuring import ColumnValues, picture_of
from feeds.drift.picture import Picture
from feeds.drift.sketch import SIZE, Sketch, share_known
from tests.feeds.drift.tables import orders, pictured, weeks


def column(texts, **about):
    values = ColumnValues("A", 0, pa.chunked_array([texts], pa.string()), **about)
    return picture_of([values], rows=len(texts)).columns[0]


def typed(values, kind, column_type="float"):
    texts = [None if value is None else str(value) for value in values]
    return column(texts, path="a", column_type=column_type, values=pa.chunked_array([values], kind))


def test_empty_cells_are_counted_whether_missing_or_blank():
    picture = column(["a", None, "", "b"])

    assert (picture.rows, picture.filled, picture.empty_share) == (4, 2, 0.5)


def test_numbers_have_their_range_sum_and_sign():
    numbers = typed([1.5, -2.0, None, 4.0], pa.float64()).numbers

    assert (numbers.count, numbers.least, numbers.greatest) == (3, -2.0, 4.0)
    assert (numbers.total, numbers.negative, numbers.mean) == (3.5, 1, pytest.approx(3.5 / 3))


def test_amounts_are_numbers():
    amounts = pa.array([100, 250], pa.int64()).cast(pa.decimal128(38, 4))

    assert typed(amounts, pa.decimal128(38, 4), "currency_eur").numbers.total == 350


def test_days_have_their_range_with_and_without_a_time():
    days = [date(2026, 1, day) for day in range(1, 21)]
    instants = [f"{day.isoformat()}T10:30:00" for day in days]

    for dates in (
        typed(days, pa.date32(), "date").dates,
        typed(instants, pa.string(), "datetime").dates,
    ):
        assert (dates.first, dates.last, dates.count) == (days[0], days[-1], 20)
        assert dates.early <= days[1]
        assert dates.late >= days[-2]


def test_texts_that_are_not_values_of_the_type_are_unread():
    picture = typed([1.0, None, None], pa.float64())
    unread = column(
        ["1", "n.n.", None],
        path="a",
        column_type="float",
        values=pa.chunked_array([[1.0, None, None]]),
    )

    assert picture.unread == 0
    assert unread.unread == 1


def test_few_distinct_values_are_counted_exactly_and_many_about():
    few = column([f"v{n % 7}" for n in range(1_000)])
    many = column([f"v{n}" for n in range(20_000)])

    assert few.distinct == 7
    assert many.distinct == pytest.approx(20_000, rel=0.25)
    assert many.uniqueness == pytest.approx(1, abs=0.25)


def test_only_values_that_several_rows_share_are_kept():
    table = orders(1)
    table["E-mail"] = [f"person{n}@example.org" for n in range(200)]
    table["Name"] = ["Ada", "Ada", *(f"Name {n}" for n in range(198))]
    kept = json.dumps(pictured(table).as_json())

    assert "paid" in kept
    assert "example.org" not in kept
    assert "Name 7" not in kept
    assert not pictured({"Name": ["Ada", "Bea"]}).columns[0].top


def test_a_picture_is_the_same_after_it_was_stored():
    picture = pictured(orders(1), day=date(2026, 1, 12))

    assert Picture.kept(json.loads(json.dumps(picture.as_json()))) == picture


def test_a_picture_of_another_version_is_not_read():
    assert Picture.kept({**pictured(orders(1)).as_json(), "version": 0}) is None


def test_a_table_without_rows_has_a_picture():
    picture = pictured({"Number": [], "Day": [], "Remark": []})

    assert picture.rows == 0
    assert [c.filled for c in picture.columns] == [0, 0, 0]
    assert compare(picture, [picture, picture]) == ()


cells = st.one_of(st.none(), st.text(max_size=6), st.sampled_from(["1.5", "-7", "2026-01-31"]))


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=40), st.randoms(), st.integers(1, 40))
def test_the_order_and_batches_of_rows_do_not_matter(rows, drawn, split):
    shuffled = drawn.sample(rows, len(rows))
    tables = [
        [
            pa.chunked_array([part[:split], part[split:]], pa.string())
            for part in zip(*t, strict=True)
        ]
        for t in (rows, shuffled)
    ]
    pictures = [
        picture_of([ColumnValues(f"C{n}", n, c) for n, c in enumerate(table)], rows=len(rows))
        for table in tables
    ]

    assert pictures[0] == pictures[1]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=40), st.randoms())
def test_the_order_of_numbers_does_not_matter(numbers, drawn):
    shuffled = drawn.sample(numbers, len(numbers))

    assert typed(numbers, pa.float64()).numbers == typed(shuffled, pa.float64()).numbers


def test_two_columns_share_the_values_that_they_share():
    first, second = Sketch(), Sketch()
    first.add(pa.array([f"v{n}" for n in range(10_000)]))
    second.add(pa.array([f"v{n}" for n in range(5_000, 15_000)]))

    assert share_known(second.least.tolist(), [first.least.tolist()]) == pytest.approx(0.5, abs=0.2)


def test_a_sketch_is_the_same_for_frequent_and_rare_values_in_any_batches():
    values = [f"v{n % 400}" for n in range(6_000)] + [f"w{n}" for n in range(6_000)]
    shuffled = random.Random(1).sample(values, len(values))
    sketches = [Sketch(), Sketch(), Sketch()]
    sketches[0].add(pa.array(values))
    for start in range(0, len(values), 500):
        sketches[1].add(pa.array(values[start : start + 500]))
        sketches[2].add(pa.array(shuffled[start : start + 500]))

    assert len(sketches[0].least) == SIZE
    assert len({tuple(s.least.tolist()) for s in sketches}) == 1
    assert len({s.content for s in sketches}) == 1
    assert sketches[0].texts == sketches[1].texts == sketches[2].texts


def test_pictures_of_a_feed_are_small():
    assert all(len(json.dumps(picture.as_json())) < 20_000 for picture in weeks(2))

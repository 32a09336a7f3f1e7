"""Which texts are dates, times of day and periods, and in which order a date can be read."""

from datetime import date

import pyarrow as pa
import pytest

from tabular.types.families.dates import dates_and_times
from tabular.types.parse_options import ParseOptions
from tabular.values.dates import day, is_period, is_time, named

EITHER = ("dmy", "mdy")

DAYS = [
    ("31.12.2024", ("dmy",)),
    ("12/31/2024", ("mdy",)),
    ("1.1.2024", EITHER),
    ("12-12-24", EITHER),
    ("1 2 2024", EITHER),
    ("31/1/24", ("dmy",)),  # the 31st, not the year 2031
    ("32-1-24", ("ymd",)),
    ("30.4.2024", ("dmy",)),
    ("31.4.2024", None),
    ("30.2.2024", None),
    ("29.2.2024", ("dmy",)),
    ("29.2.2023", None),
    ("29.2.00", ("dmy",)),  # the year 2000 had it
    ("0.1.2024", None),
    ("1.0.2024", None),
    ("13.13.2024", None),
    ("31.12.9999", ("dmy",)),  # the usual "forever" of programs
    ("0001-01-01", None),  # and for "no date"
    ("01.01.0001", None),
    ("2024-01-31", ("ymd",)),
    ("2024-1-5", ("ymd",)),
    ("2024-31-01", None),
    ("20240131", ("ymd",)),
    ("20241301", None),
    ("Mi, 31.01.2024", ("dmy",)),
    ("123-1-24", None),
    ("1.2.3", None),  # a version
    ("45.1.2", None),
    ("1.2.202", None),  # a year that lost a digit
    ("1.2.20244", None),
    ("3. März 2024", (*EITHER, "ymd")),
    ("2024 März 03", (*EITHER, "ymd")),
    ("31. April 2024", None),
    ("3. März 0001", None),
    ("3. Foo 2024", None),
]


@pytest.mark.parametrize(("text", "orders"), DAYS)
def test_a_date_says_in_which_orders_it_can_be_read(text, orders):
    date = day(text)

    assert (date and date.orders) == orders


@pytest.mark.parametrize(("text", "orders"), DAYS)
@pytest.mark.parametrize("order", EITHER)
def test_a_column_reads_a_date_in_its_own_order_or_not_at_all(text, orders, order):
    read, _ = dates_and_times(
        pa.array([text]), parse_options=ParseOptions(today=date(2026, 1, 2)), order=order
    )

    assert read[0].is_valid == bool({order, "ymd"} & set(orders or ()))


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("31.12.2024 10:15", "10:15"),
        ("2024-12-31T10:15:00Z", "10:15:00Z"),
        ("20241231T1015", "1015"),
        ("Dec 31, 2024 10:15 pm", "10:15 pm"),
        ("31.12.2024", None),
    ],
)
def test_the_time_behind_a_date_is_kept(text, time):
    _, times = dates_and_times(
        pa.array([text]), parse_options=ParseOptions(today=date(2026, 1, 2)), order="dmy"
    )

    assert day(text).time == time
    assert times.to_pylist() == [time]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("3. März 2024", (2024, 3, 3, None)),
        ("March 3rd, 2024", (2024, 3, 3, None)),
        ("2024 March 03", (2024, 3, 3, None)),
        ("03 March 24", (24, 3, 3, None)),
        ("Wednesday, 5 de mayo de 2023 8:00", (2023, 5, 5, "8:00")),
        ("March April 2024", None),
    ],
)
def test_a_date_with_the_name_of_a_month_is_cut_into_its_parts(text, parts):
    assert named(text) == parts


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("23:59", True),
        ("23:59:59", True),
        ("0:00", True),
        ("24:00", False),
        ("12:60", False),
        ("12:00:60", False),
        ("1:00 am", True),
        ("12:59 pm", True),
        ("0:30 am", False),
        ("13:00 pm", False),
        ("9 Uhr", True),
        ("14h", True),
        ("14h30", True),
        ("12", False),
        ("10:15+02:00", True),
    ],
)
def test_a_text_is_a_time_of_day_or_none(text, is_one):
    assert is_time(text) == is_one


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("März 2024", True),
        ("Mar-24", True),
        ("12. Mai", True),
        ("2024 Mai", True),
        ("2024-03", True),
        ("2024-13", False),
        ("Q4 2024", True),
        ("2024-W07", True),
        ("Q5 2024", False),
        ("Zone 2024", False),
        ("12. Zone", False),
    ],
)
def test_a_text_is_a_part_of_the_calendar_or_none(text, is_one):
    assert is_period(text) == is_one

"""What is noticed about a file of a feed, and what is not."""

import random
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.drift.comparing import compare
from feeds.drift.finding import CODES
from feeds.drift.sizes import factor
from tests.feeds.drift.tables import TYPES, orders, pictured, weeks

WEEK = 10


def codes(table, *, types=None, before=None):
    return [f.code for f in compare(pictured(table, types=types), before or weeks(WEEK))]


def changed(header, change):
    table = orders(WEEK)
    return {**table, header: [change(text) for text in table[header]]}


def moved(table, header, to):
    return {to if name == header else name: texts for name, texts in table.items()}


def test_an_ordinary_next_week_is_not_a_finding():
    assert codes(orders(WEEK)) == []


def test_growth_is_ordinary():
    before = [pictured(orders(week, rows=200 + 20 * week)) for week in range(WEEK)]

    assert codes(orders(WEEK, rows=400), before=before) == []


@given(st.integers(1, 12))
def test_a_file_like_all_before_it_is_not_a_finding(count):
    picture = pictured(orders(1))

    assert compare(picture, [picture] * count) == ()


def test_the_first_file_is_compared_with_nothing():
    assert compare(pictured(orders(0)), []) == ()


def test_a_renamed_column_has_its_evidence():
    types = {"Amount": TYPES["Total"], **TYPES}
    current = pictured(moved(orders(WEEK), "Total", "Amount"), types=types)
    (finding,) = compare(current, weeks(WEEK))

    assert finding.code == "column_renamed"
    assert finding.params == {"from": "Total", "to": "Amount", "evidence": ["place", "values"]}


def test_case_and_blanks_in_a_header_are_not_a_rename():
    table = moved(orders(WEEK), "Remark", " REMARK ")

    assert codes(table) == []


def test_a_column_is_new_or_gone():
    table = orders(WEEK)
    remark = table.pop("Remark")

    assert codes(table) == ["column_removed"]
    assert codes({"Checked": ["7"] * 200, **orders(WEEK)}) == ["column_added"]
    assert remark


def test_a_column_that_is_not_always_there_is_neither_new_nor_gone():
    pictures = weeks(WEEK)
    without = orders(WEEK - 1)
    del without["Remark"]
    pictures[-1] = pictured(without)

    assert codes(orders(WEEK), before=pictures) == []


@pytest.mark.parametrize(
    ("header", "change", "code"),
    [
        ("Total", lambda text: None, "column_empty"),
        ("Total", lambda text: f"{float(text) * 100:.2f}", "column_sizes"),
        ("Total", lambda text: f"{float(text) / 1000:.4f}", "column_sizes"),
        ("Total", lambda text: text.replace(".", ""), "column_sizes"),
        ("Total", lambda text: f"-{text}", "column_signs"),
        ("Total", lambda text: "about ten", "column_unread"),
        (
            "State",
            lambda text: {"paid": "1", "open": "2", "sent": "3"}[text],
            "column_type_changed",
        ),
        ("State", lambda text: f"done: {text}", "column_values_new"),
        ("Number", lambda text: "60007", "column_repeats"),
        ("Day", lambda text: f"2026-{text[8:]}-{text[5:7]}", "dates_range"),
        ("Day", lambda text: f"2026-02-0{int(text[9]) % 7 + 1}", "dates_behind"),
        ("Day", lambda text: f"2027{text[4:]}", "dates_ahead"),
    ],
)
def test_one_change_of_a_column_is_one_finding(header, change, code):
    if code == "dates_range":  # the days of this week are all possible months
        table = orders(WEEK)
        table["Day"] = [f"2026-{4 + at % 7:02d}-03" for at in range(200)]
    else:
        table = changed(header, change)

    assert codes(table) == [code]


def test_few_numbers_out_of_all_bounds_show_in_the_sum():
    table = orders(WEEK)
    table["Total"][0] = "99999999.00"

    assert codes(table) == ["column_total"]


def test_half_a_file_is_noticed_once():
    half = {header: texts[:100] for header, texts in orders(WEEK).items()}

    assert codes(half) == ["rows_fewer"]


def test_much_more_rows_are_noticed():
    assert codes(orders(WEEK, rows=600)) == ["rows_more"]


def test_the_same_rows_again_in_any_order_are_one_finding():
    again = {header: texts[::-1] for header, texts in orders(WEEK - 1).items()}
    pictures = [pictured(orders(week), day=date(2026, 1, 12 + week)) for week in range(WEEK)]
    (finding,) = compare(pictured(again), pictures)

    assert finding.code == "same_rows"
    assert finding.params == {"rows": 200, "day": "2026-01-21"}


def test_the_same_rows_again_are_ordinary_where_files_hardly_differ():
    table = orders(1)
    pictures = []
    for week in range(WEEK):
        table = {**table, "State": ["void"] * week + table["State"][week:]}
        pictures.append(pictured(table))

    assert codes(table, before=pictures) == []


def test_one_odd_file_before_changes_little():
    pictures = weeks(WEEK)
    pictures[4] = pictured(changed("Total", lambda text: f"{float(text) * 100:.2f}"))
    pictures[6] = pictured({h: texts[:20] for h, texts in orders(6).items()})

    assert codes(changed("Total", lambda text: f"{float(text) * 100:.2f}"), before=pictures)
    assert codes(orders(WEEK), before=pictures) == []


def test_bounds_are_wide_after_one_file_and_tighter_after_ten():
    table = {header: texts[:100] for header, texts in orders(WEEK).items()}
    table["Day"] = orders(WEEK, rows=100)["Day"]

    assert codes(table, before=weeks(WEEK)[-1:]) == []
    assert codes(table) == ["rows_fewer"]


def test_files_with_all_rows_have_narrow_bounds():
    table = orders(1)
    before = [pictured(table | {"Day": orders(week)["Day"]}) for week in range(WEEK)]
    three_fifths = {h: texts[:120] for h, texts in (table | {"Day": orders(WEEK)["Day"]}).items()}

    assert "rows_fewer" in codes(three_fifths, before=before)
    assert "rows_fewer" not in codes(orders(WEEK, rows=120))


def births(rows, seed):
    drawn = random.Random(seed)
    days = [date(1940, 1, 1) + timedelta(days=drawn.randrange(25_000)) for _ in range(rows)]
    return [day.isoformat() for day in days]


def few_orders(week, seed, *, rows=2):
    table = orders(week, rows=rows, seed=seed)
    return {"Day": table["Day"], "Born": births(rows, f"{seed}/{week}")}


def test_days_of_two_rows_are_ordinary_wherever_they_are_by_chance():
    types = {"Day": "date_iso", "Born": "date_iso"}
    alarms = []
    for seed in range(40):
        pictures = [pictured(few_orders(week, seed), types=types) for week in range(12)]
        alarms += [
            (seed, week, finding)
            for week in range(1, 12)
            for finding in compare(pictures[week], pictures[max(0, week - 10) : week])
        ]

    assert alarms == []


def test_days_of_few_rows_in_another_century_are_noticed():
    types = {"Day": "date_iso"}
    before = [pictured({"Day": orders(w, rows=3)["Day"]}, types=types) for w in range(WEEK)]

    assert codes({"Day": ["1900-01-01"] * 3}, types=types, before=before) == ["dates_range"]


def test_both_sides_of_a_finding_have_the_same_figures():
    table = changed("Total", lambda text: f"{float(text) * 100:.2f}")
    (finding,) = compare(pictured(table), weeks(WEEK))

    assert finding.before.keys() == finding.after.keys()
    assert finding.params["factor"] == 100


def test_a_factor_is_the_power_of_ten_that_it_is_close_to():
    from collections import Counter

    assert factor(Counter({0: 1}), Counter({61: 1})) == 1000
    assert factor(Counter({0: 1}), Counter({50: 1})) == pytest.approx(316, rel=0.1)


def test_each_code_is_public_and_appears_once():
    assert len(set(CODES)) == len(CODES)

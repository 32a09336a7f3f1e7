"""Steps that compute a column: conditions, exact decimals, differences of dates."""

import calendar
from datetime import date
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal, localcontext

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabular.model.table import Kind
from tabular.protocol.plan import UnusablePlan
from tabular.transforming.executing import recipe_findings
from tabular.transforming.step_rows import StepRows
from tabular.transforming.steps import worker
from tabular.values.numbers import read_number
from tests.tabular.tables import findings_in, typed
from tests.tabular.transforming.test_recipes import column, cook, recipe
from tests.tries import tries

DIGITS = st.decimals(
    min_value=Decimal(-(10**17)), max_value=Decimal(10**17), places=6, allow_nan=False
)
ROUND = {"half_up": ROUND_HALF_UP, "down": ROUND_DOWN}


def when(*cases, **members):
    pairs = [{"if": condition, "then": then} for condition, then in cases]
    return {"do": "when", "cases": pairs, "into": "c", **members}


def sum_of(left, op, right, **members):
    sides = [{"column": side} if side in {"a", "b"} else {"number": side} for side in (left, right)]
    step = {"do": "calculate", "left": sides[0], "op": op, "right": sides[1], "into": "c"}
    return {"format": "us", **step, **members}


def difference(unit="days", start="a", end="b", order="dmy"):
    step = {"do": "date_difference", "start": {"column": start}, "end": {"column": end}}
    return step | {"unit": unit, "into": "c", "order": order}


def issues(step, columns, fields=("c",)):
    mapping = {name: f"e.{name}" for name in fields}
    return findings_in(
        [{"key": name} for name in fields], columns, recipe=recipe(step), mapping=mapping
    )


def refusals(*steps, columns=("a", "b")):
    return [(f.pointer, f.code) for f in recipe_findings(recipe(*steps).steps, columns)]


def cells(step, columns, kinds):
    """Run a step over cells of some kinds; return the texts and the kinds of what it makes."""
    size = len(next(iter(columns.values())))
    arrays = {name: pa.array(texts, pa.string()) for name, texts in columns.items()}
    held = {name: pa.array(kind, pa.int8()) for name, kind in kinds.items()}
    rows = StepRows(
        pa.array(range(size), pa.int64()), pa.array([0] * size, pa.int32()), arrays, held
    )
    after = worker(recipe(step).steps[0])(rows)
    return after.columns["c"].to_pylist(), after.kinds["c"].to_pylist()


def test_the_first_condition_that_holds_decides():
    step = when(
        ({"a": "DE"}, {"value": "EUR"}),
        ({"a": {"regex": "^U"}}, {"value": "USD"}),
        otherwise={"column": "b"},
    )

    made = column("c", {"a": ["DE", "US", "FR", " DE ", None], "b": list("vwxyz")}, step)

    assert made == ["EUR", "USD", "x", "EUR", "z"]


@pytest.mark.parametrize(
    ("condition", "held"),
    [
        ({"a": {"lt": 20}}, [True, False, False, True]),
        ({"a": {"gte": 3, "lt": 20}}, [True, False, False, False]),
        ({"a": {"eq": 3.5}}, [True, False, False, False]),
        ({"not": {"a": {"lt": 20}}}, [False, True, True, False]),
        ({"a": {"filled": False}}, [False, False, True, False]),
        ({"any": {"a": {"gt": 20}, "b": "x"}}, [True, True, False, False]),
        ({"all": {"a": {"gt": 3}, "b": "x"}}, [True, False, False, False]),
        ({"a": "3,50"}, [True, False, False, False]),
        ({"a": {"ne": "3,50"}}, [False, True, False, True]),
    ],
)
def test_a_condition_compares_texts_and_numbers(condition, held):
    step = when((condition, {"value": "yes"}), otherwise={"value": "no"}, format="eu")
    columns = {"a": ["3,50", "1.000,00 €", None, "-7"], "b": ["x", "y", None, "z"]}

    assert column("c", columns, step) == ["yes" if holds else "no" for holds in held]


def test_a_condition_compares_dates_in_the_order_of_the_column():
    step = when(({"a": {"lt": "2024-02-01"}}, {"value": "old"}), order="dmy")

    assert column("c", {"a": ["31.01.2024", "01.02.2024", "5 Jan 2024"]}, step) == [
        "old",
        None,
        "old",
    ]


def test_a_cell_that_cannot_be_compared_leaves_the_result_empty_with_an_issue():
    step = when(({"a": {"lt": 20}}, {"value": "light"}), otherwise={"value": "heavy"}, format="us")
    columns = {"a": ["5", "n.a.", "30"]}

    assert column("c", columns, step) == ["light", None, "heavy"]
    assert issues(step, columns) == [(1, "c", "not_a_number")]


def test_a_condition_that_is_decided_without_the_unreadable_cell_has_no_issue():
    step = when(
        ({"any": {"b": "x", "a": {"lt": 20}}}, {"value": "yes"}),
        otherwise={"value": "no"},
        format="us",
    )
    columns = {"a": ["?", "?"], "b": ["x", "y"]}

    assert column("c", columns, step) == ["yes", None]
    assert issues(step, columns) == [(1, "c", "not_a_number")]


def test_an_earlier_condition_that_holds_needs_no_later_one():
    step = when(({"b": "x"}, {"value": "1"}), ({"a": {"gt": 0}}, {"value": "2"}), format="us")

    assert issues(step, {"a": ["?"], "b": ["x"]}) == []


def test_a_case_takes_the_kind_and_the_flaw_of_the_cell_that_it_takes():
    ratio = sum_of("a", "divided_by", "b", decimals=2, into="ratio")
    safe = when(({"b": {"eq": 0}}, {"value": "0"}), otherwise={"column": "ratio"}, format="us")
    columns = {"a": ["1", "1"], "b": ["0", "8"]}
    both = recipe(ratio, safe)

    rows = typed([{"key": "c"}], columns, recipe=both, mapping={"c": "e.c"})

    assert rows.texts["e.c"].to_pylist() == ["0", "0.13"]
    assert rows.kinds["e.c"].to_pylist() == [Kind.TEXT, Kind.NUMBER]
    assert rows.findings == []


@pytest.mark.parametrize(
    ("condition", "members", "pointer"),
    [
        ({"nope": "x"}, {}, "/steps/0"),
        ({"a": {"near": 3}}, {}, "/steps/0/cases/0/if/a/near"),
        ({"a": {"lt": 3}}, {}, "/steps/0/cases/0/if/a/lt"),
        ({"a": {"lt": "x"}}, {}, "/steps/0/cases/0/if/a/lt"),
        ({"a": {"lt": "2024-01-01"}}, {}, "/steps/0/cases/0/if/a/lt"),
        ({"a": True}, {}, "/steps/0/cases/0/if/a"),
        ({"a": {}}, {}, "/steps/0/cases/0/if/a"),
        ({"a": {"filled": 1}}, {}, "/steps/0/cases/0/if/a/filled"),
        ({"a": {"regex": "(?=x)"}}, {}, "/steps/0/cases/0/if/a/regex"),
        ({"any": {}}, {}, "/steps/0/cases/0/if/any"),
        ({"any": "x"}, {}, "/steps/0/cases/0/if/any"),
        ({"a": 10**18}, {"format": "us"}, "/steps/0/cases/0/if/a"),
        ({"a": [1]}, {"format": "us"}, "/steps/0/cases/0/if/a"),
    ],
)
def test_a_condition_that_cannot_be_decided_refuses_the_recipe(condition, members, pointer):
    refused = refusals(when((condition, {"value": "y"}), **members))

    assert [place for place, _ in refused] == [pointer]


def test_a_condition_is_neither_deep_nor_long_without_end():
    deep = {"a": "x"}
    for _ in range(11):
        deep = {"not": deep}
    long = {"a": {"eq": "x"}, "any": {f"n{i}": "x" for i in range(100)}}

    assert ("/steps/0/cases/0/if", "unknown_condition") in refusals(when((deep, {"value": "y"})))
    assert ("/steps/0/cases/0/if", "unknown_condition") in refusals(when((long, {"value": "y"})))


def test_steps_that_need_each_other_are_refused():
    there, back = when(({"d": "x"}, {"value": "y"})), when(({"c": "x"}, {"value": "y"}), into="d")

    assert refusals(there, back) == [("/steps/0", "unknown_column")]


@pytest.mark.parametrize(
    ("op", "a", "b", "members", "result"),
    [
        ("plus", "0.1", "0.2", {}, "0.3"),
        ("minus", "1,000.50", "0.5", {}, "1000"),
        (
            "times",
            "99999999999999999",
            "99999999999999999",
            {},
            "9999999999999999800000000000000001",
        ),
        ("times", "0.0000001", "0.1", {}, "0.00000001"),
        ("divided_by", "1", "3", {"decimals": 4}, "0.3333"),
        ("divided_by", "2", "3", {"decimals": 4}, "0.6667"),
        ("divided_by", "2", "3", {"decimals": 4, "rounding": "down"}, "0.6666"),
        ("times", "-2.5", "1", {"decimals": 0}, "-3"),
        ("plus", "1E+3", "-5", {}, "995"),
        ("plus", " ", "5", {}, None),
        ("plus", "-0.4", "0", {"decimals": 0}, "0"),
    ],
)
def test_an_operation_is_exact(op, a, b, members, result):
    step = sum_of("a", op, "b", **members)

    assert column("c", {"a": [a], "b": [b]}, step) == [result]
    assert issues(step, {"a": [a], "b": [b]}) == []


@pytest.mark.parametrize(
    ("op", "a", "b", "code"),
    [
        ("divided_by", "1", "0.00", "division_by_zero"),
        ("divided_by", "0", "0", "division_by_zero"),
        ("plus", "ten", "1", "not_a_number"),
        ("plus", "1.5.0", "1", "not_a_number"),
        ("plus", "5 %", "1", "not_a_number"),
        ("plus", "9" * 10_000, "1", "too_many_digits"),
        ("plus", "9" * 19, "1", "too_many_digits"),
        ("plus", "1e99", "1", "too_many_digits"),
        ("plus", "0." + "1" * 20, "1", "too_many_digits"),
        ("plus", "5 €", "1 $", "other_currency"),
    ],
)
def test_what_cannot_be_calculated_is_empty_with_an_issue(op, a, b, code):
    step = sum_of("a", op, "b", decimals=2)
    columns = {"a": [a, "4"], "b": [b, "2"]}

    assert column("c", columns, step)[0] is None
    assert column("c", columns, step)[1] is not None
    assert issues(step, columns) == [(0, "c", code)]


def test_a_fixed_number_takes_part():
    assert column("c", {"a": ["100", "0.10"]}, sum_of("a", "times", "1.19")) == ["119", "0.119"]


def test_an_operation_reads_the_format_that_it_names():
    columns = {"a": ["1.234", "1.234,50"]}

    assert column("c", columns, sum_of("a", "plus", "1", format="eu")) == ["1235", "1235.5"]


def test_a_result_is_a_number_whatever_the_format_of_the_field():
    step = sum_of("a", "plus", "0.004", format="eu")
    fields = [{"key": "c", "columnType": "float", "numberFormat": "eu"}]

    rows = typed(fields, {"a": ["1,230"]}, recipe=recipe(step), mapping={"c": "e.c"})

    assert rows.values["e.c"].to_pylist() == [1.234]
    assert rows.findings == []


@pytest.mark.parametrize(
    ("op", "a", "b", "kind"),
    [
        ("plus", Kind.EURO, Kind.NUMBER, Kind.EURO),
        ("times", Kind.NUMBER, Kind.DOLLAR, Kind.DOLLAR),
        ("times", Kind.EURO, Kind.PERCENT, Kind.EURO),
        ("divided_by", Kind.EURO, Kind.EURO, Kind.NUMBER),
        ("divided_by", Kind.EURO, Kind.NUMBER, Kind.EURO),
        ("divided_by", Kind.NUMBER, Kind.EURO, Kind.NUMBER),
        ("plus", Kind.EURO, Kind.DOLLAR, None),
        ("plus", Kind.MONEY, Kind.MONEY, None),
    ],
)
def test_a_result_has_the_currency_of_its_operands(op, a, b, kind):
    step = sum_of("a", op, "b", decimals=2)

    texts, kinds = cells(step, {"a": ["4"], "b": ["2"]}, {"a": [a], "b": [b]})

    assert (texts[0] is None) == (kind is None)
    assert kind is None or kinds == [kind]


def test_a_number_of_the_file_is_read_as_the_file_has_it():
    step = sum_of("a", "plus", "b", format="eu")

    texts, _ = cells(
        step, {"a": ["1.5", "1.500"], "b": ["1", "1"]}, {"a": [Kind.NUMBER, Kind.TEXT]}
    )

    assert texts == ["2.5", "1501"]


@settings(max_examples=tries(200))
@given(
    DIGITS,
    DIGITS,
    st.sampled_from(["plus", "minus", "times", "divided_by"]),
    st.integers(0, 10),
    st.sampled_from(["half_up", "down"]),
)
def test_an_operation_gives_what_decimal_arithmetic_gives(left, right, op, decimals, rounding):
    step = sum_of("a", op, "b", decimals=decimals, rounding=rounding)
    made = column("c", {"a": [f"{left:f}"], "b": [f"{right:f}"]}, step)[0]

    if op == "divided_by" and right == 0:
        assert made is None
        return
    with localcontext(prec=200):
        exact = {
            "plus": lambda: left + right,
            "minus": lambda: left - right,
            "times": lambda: left * right,
            "divided_by": lambda: left / right,
        }[op]()
        assert Decimal(made) == exact.quantize(Decimal(1).scaleb(-decimals), ROUND[rounding])


WRITTEN = st.text("0123456789.,-+eE €$%()' \u00a0x\n", max_size=24) | st.from_regex(
    r"[+-]?[0-9]{0,20}[.,]?[0-9]{0,22}([eE][+-]?[0-9]{1,3})?", fullmatch=True
)


@settings(max_examples=tries(400))
@given(st.lists(WRITTEN, min_size=1, max_size=6), st.sampled_from(["eu", "us"]))
def test_any_text_is_the_number_that_it_is_elsewhere_or_has_an_issue(texts, fmt):
    step = sum_of("a", "plus", "0", format=fmt)
    by_row = {row: code for row, _, code in issues(step, {"a": texts})}

    for row, (text, made) in enumerate(zip(texts, column("c", {"a": texts}, step), strict=True)):
        number = None if "%" in text else read_number(text, fmt)
        if made is not None:
            assert Decimal(made) == number
        elif text.strip(" \n\u00a0"):
            assert by_row[row] == ("not_a_number" if number is None else "too_many_digits")
        assert (made is not None) <= (row not in by_row)


def test_a_division_names_its_decimals():
    assert refusals(sum_of("a", "divided_by", "b")) == [("/steps/0/decimals", "wrong_value")]


def test_rounding_changes_the_columns_it_names():
    step = {"do": "round", "columns": ["a"], "format": "eu", "decimals": 1}

    assert column("a", {"a": ["1.234,56", "0,05", "-0,05", None, "7"]}, step) == [
        "1234.6",
        "0.1",
        "-0.1",
        None,
        "7",
    ]
    assert issues(step, {"a": ["x"]}, fields=("a",)) == [(0, "a", "not_a_number")]


@pytest.mark.parametrize(
    ("unit", "start", "end", "result"),
    [
        ("days", "28.02.2024", "01.03.2024", "2"),
        ("days", "01.03.2024", "28.02.2024", "-2"),
        ("months", "31.01.2024", "29.02.2024", "0"),
        ("months", "31.01.2024", "31.03.2024", "2"),
        ("months", "15.03.2024", "14.02.2024", "-1"),
        ("years", "29.02.2000", "28.02.2018", "17"),
        ("years", "29.02.2000", "01.03.2018", "18"),
        ("years", "01.01.2001", "31.12.2001", "0"),
        ("days", "31.01.2024 23:59", "01.02.2024", "1"),
        ("days", "", "01.02.2024", None),
    ],
)
def test_a_difference_counts_what_is_over(unit, start, end, result):
    columns = {"a": [start], "b": [end]}

    assert column("c", columns, difference(unit)) == [result]
    assert issues(difference(unit), columns) == []


@pytest.mark.parametrize("text", ["31.02.2024", "0000-01-01", "-0044-03-15", "soon", "99999-01-01"])
def test_a_difference_of_what_is_not_a_date_is_empty_with_an_issue(text):
    columns = {"a": [text], "b": ["01.01.2024"]}

    assert column("c", columns, difference()) == [None]
    assert issues(difference(), columns) == [(0, "c", "not_a_date")]


def test_a_difference_takes_a_fixed_date():
    step = difference() | {"end": {"date": "2024-12-31"}}

    assert column("c", {"a": ["01.12.2024"]}, step) == ["30"]


def test_a_two_digit_year_has_the_century_of_the_import():
    step = difference("years") | {"end": {"date": "2026-01-02"}}

    assert column("c", {"a": ["01.01.25", "01.01.70"]}, step) == ["1", "56"]


@settings(max_examples=tries(200))
@given(st.dates(date(1000, 1, 1)), st.dates(date(1000, 1, 1)))
def test_months_are_counted_as_by_hand(start, end):
    columns = {"a": [start.isoformat()], "b": [end.isoformat()]}

    made = column("c", columns, difference("months", order="ymd"))[0]

    early, late = sorted([start, end])
    count = 0
    while _reached(early, count + 1, late):
        count += 1 if count % 12 or not _reached(early, count + 12, late) else 12
    assert int(made) == (count if start <= end else -count)
    assert column("c", columns, difference(order="ymd")) == [str((end - start).days)]


def _reached(early, months, late):
    """Return whether so many months are over; a day that a month lacks is never reached in it."""
    year, month = divmod(early.year * 12 + early.month - 1 + months, 12)
    if early.day > calendar.monthrange(year, month + 1)[1]:
        return (late.year, late.month) > (year, month + 1)
    return late >= date(year, month + 1, early.day)


@pytest.mark.parametrize(
    "later",
    [
        {"do": "copy", "column": "c", "into": "d"},
        {"do": "join", "columns": ["c", "a"], "into": "d"},
        {"do": "split", "column": "c", "separator": ".", "into": ["d", "e"]},
        {
            "do": "calculate",
            "left": {"column": "c"},
            "op": "plus",
            "right": {"number": "1"},
            "format": "us",
            "into": "d",
        },
        {"do": "unpivot", "columns": ["c", "b"], "nameInto": "n", "valueInto": "d"},
        {"do": "coalesce", "columns": ["c", "empty"], "into": "d"},
        {"do": "lookup", "column": "c", "rows": [["1", "x"]], "default": "?", "into": "d"},
        {"do": "when", "cases": [{"if": {"c": "1"}, "then": {"value": "x"}}], "into": "d"},
        {"do": "when", "cases": [{"if": {"a": "1"}, "then": {"column": "c"}}], "into": "d"},
    ],
    ids=lambda step: step["do"],
)
def test_a_column_made_of_a_flawed_cell_has_its_issue(later):
    steps = recipe(sum_of("a", "divided_by", "b", decimals=0), later)
    columns = {"a": ["1"], "b": ["0"], "empty": [None]}

    issues_ = findings_in([{"key": "d"}], columns, recipe=steps, mapping={"d": "e.d"})

    assert (0, "d", "division_by_zero") in issues_


@pytest.mark.parametrize(
    "later",
    [
        {"do": "default", "columns": ["c"], "value": "0"},
        {"do": "fill_down", "columns": ["c"]},
        {"do": "drop_rows", "columns": ["c"], "where": "empty"},
        {"do": "trim", "columns": ["c"]},
    ],
    ids=lambda step: step["do"],
)
def test_no_later_step_hides_a_flaw(later):
    steps = recipe(sum_of("a", "divided_by", "b", decimals=0), later)
    columns = {"a": ["6", "1"], "b": ["2", "0"]}

    assert findings_in([{"key": "c"}], columns, recipe=steps, mapping={"c": "e.c"}) == [
        (1, "c", "division_by_zero")
    ]


def test_a_coalesce_takes_another_cell_for_a_flawed_one():
    later = {"do": "coalesce", "columns": ["c", "a"], "into": "d"}
    steps = recipe(sum_of("a", "divided_by", "b", decimals=0), later)

    assert (
        findings_in([{"key": "d"}], {"a": ["1"], "b": ["0"]}, recipe=steps, mapping={"d": "e.d"})
        == []
    )


LOOKUP = {"do": "lookup", "column": "a", "rows": [["x", "Ex"], ["y", ""]], "into": "c"}


def test_a_lookup_takes_the_value_of_a_key():
    columns = {"a": ["x", " x ", "y", None, "z"]}

    assert column("c", columns, LOOKUP) == ["Ex", "Ex", None, None, None]
    assert issues(LOOKUP, columns) == [(4, "c", "unknown_key")]


def test_a_lookup_with_a_default_has_no_unknown_keys():
    step = LOOKUP | {"default": "?"}

    assert column("c", {"a": ["z", None]}, step) == ["?", None]
    assert issues(step, {"a": ["z", None]}) == []


def test_a_key_that_no_cell_can_have_or_that_is_there_twice_refuses_the_recipe():
    step = LOOKUP | {"rows": [["x", "1"], [" y", "2"], ["", "3"], ["x", "4"]]}

    assert refusals(step) == [
        ("/steps/0/rows/1/0", "wrong_value"),
        ("/steps/0/rows/2/0", "wrong_value"),
        ("/steps/0/rows/3/0", "duplicate_key"),
    ]


def test_a_step_on_a_missing_column_refuses_the_whole_recipe():
    with pytest.raises(UnusablePlan, match="needs the column “b”"):
        column("c", {"a": ["1"]}, sum_of("a", "plus", "b"))


def test_batches_do_not_matter():
    steps = (
        sum_of("a", "divided_by", "b", decimals=3),
        when(({"a": {"gt": 20}}, {"column": "c"}), into="d", format="us"),
    )
    columns = {"a": [str(n) for n in range(50)], "b": [str(n % 7) for n in range(50)]}

    assert cook(columns, *steps, batch_rows=7) == cook(columns, *steps)

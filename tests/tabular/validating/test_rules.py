"""The rules that look at one row: kept and broken. Spec: validation."""

import orjson
import pytest

from tests.tabular.tables import findings_in, typed


def field(key, rule=None, column_type="string", **more):
    rules = [rule] if rule else []
    return {"key": key, "columnType": column_type, "validations": rules} | more


def rows_breaking(rule, columns, *, column_type="string", others=()):
    fields = [field("it", rule, column_type), *others]
    fields += [field(name) for name in columns if name not in {"it", *(o["key"] for o in others)}]
    code = rule["validate"]
    return [
        row
        for row, key, found_code in findings_in(fields, columns)
        if (key, found_code) == ("it", code)
    ]


A = ["x", "x", None, None]
B = ["y", None, "y", None]
EMPTY = [None] * 4


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        ("required_with", [0, 1, 2]),
        ("required_with_all", [0]),
        ("required_without", [1, 2, 3]),
        ("required_without_all", [3]),
    ],
)
def test_a_conditional_requirement_looks_at_what_is_filled(kind, broken):
    rule = {"validate": kind, "columns": ["a", "b"]}

    assert rows_breaking(rule, {"it": EMPTY, "a": A, "b": B}) == broken
    assert rows_breaking(rule, {"it": ["v"] * 4, "a": A, "b": B}) == []


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        ("required_with_values", [0, 1, 2]),
        ("required_with_all_values", [0]),
        ("required_without_values", [1, 2, 3]),
        ("required_without_all_values", [3]),
    ],
)
def test_a_conditional_requirement_looks_at_values(kind, broken):
    rule = {"validate": kind, "columnValues": {"a": "x", "b": ["y", "z"]}}

    assert rows_breaking(rule, {"it": EMPTY, "a": A, "b": B}) == broken
    assert rows_breaking(rule, {"it": ["v"] * 4, "a": A, "b": B}) == []


def test_values_are_compared_as_the_type_of_their_column():
    rule = {"validate": "required_with_values", "columnValues": {"paid": True, "n": 1000}}
    others = [
        field("paid", column_type="boolean"),
        field("n", column_type="int", numberFormat="eu"),
    ]
    columns = {"it": [None] * 3, "paid": ["ja", "nein", None], "n": [None, "1.000", "1"]}

    assert rows_breaking(rule, columns, others=others) == [0, 1]


def test_required_is_kept_by_an_unreadable_text():
    fields = [field("it", column_type="date", required=True)]

    assert findings_in(fields, {"it": ["gestern", None, " "]}) == [
        (0, "it", "not_a_date"),
        (1, "it", "required"),
        (2, "it", "required"),
    ]


def test_required_as_flag_and_rule_is_one_finding():
    fields = [field("it", {"validate": "required"}, required=True)]

    assert findings_in(fields, {"it": [None]}) == [(0, "it", "required")]


def test_a_regex_is_searched_in_the_canonical_value():
    rule = {"validate": "regex", "regex": "^DE[0-9]{2}"}

    broken = rows_breaking(rule, {"it": ["de89 3704 0044 0532 0130 00", None]}, column_type="iban")

    assert broken == []
    assert rows_breaking(rule, {"it": ["XDE12", "DE12X", None]}) == [0]


def test_a_regex_with_nested_repeats_stays_linear_on_a_large_cell():
    rule = {"validate": "regex", "regex": "^(a+)+$"}

    assert rows_breaking(rule, {"it": ["a" * 1_000_000 + "b"]}) == [0]


@pytest.mark.parametrize(
    ("op", "broken"),
    [("eq", [0, 2]), ("ne", [1]), ("gt", [0, 1]), ("gte", [0]), ("lt", [1, 2]), ("lte", [2])],
)
@pytest.mark.parametrize(
    ("column_type", "cells", "other"),
    [
        ("int", ["1", "2", "10", None, "5"], ["2", "2", "2", "2", None]),
        ("float", ["1.5", "2.5", "10", None, "x"], ["2.5", "2.5", "2.5", "2.5", "1"]),
        ("date", ["1.3.2024", "2.3.2024", "1.10.2024"], ["2024-03-02"] * 3),
        ("time_hm", ["1:00 pm", "14:00", "15:00"], ["14:00"] * 3),
        ("datetime", ["2024-01-01T12:00:00Z", "2024-01-01T13:00:00+01:00", "2024-01-02"],
         ["2024-01-01T12:30:00Z", "2024-01-01T12:00:00Z", "2024-01-01T12:00:00Z"]),
        ("string", ["Anna", "Ben", "Zoe"], ["Ben"] * 3),
        ("currency_eur", ["1", "2", "10"], ["2", "2", "2"]),
    ],
)  # fmt: skip
def test_compare_orders_two_columns(op, broken, column_type, cells, other):
    rule = {"validate": "compare", "op": op, "column": "other"}
    others = [field("other", column_type=column_type)]

    assert (
        rows_breaking(rule, {"it": cells, "other": other}, column_type=column_type, others=others)
        == broken
    )


@pytest.mark.parametrize(
    ("column_type", "value", "cells", "broken"),
    [
        ("int", 18, ["17", "18", None], [0]),
        ("percentage", 0.5, ["49 %", "50 %"], [0]),
        ("date", "2024-01-01", ["31.12.2023", "1.1.2024"], [0]),
        ("string", "m", ["a", "z"], [0]),
    ],
)
def test_compare_takes_a_constant_of_the_field(column_type, value, cells, broken):
    rule = {"validate": "compare", "op": "gte", "value": value}

    assert rows_breaking(rule, {"it": cells}, column_type=column_type) == broken


@pytest.mark.parametrize(
    ("fn", "total", "broken"),
    [
        ("sum", ["0.3", "0.31", "0.1", None], [1]),  # 0.1 + 0.2 is 0.3 in decimals
        ("product", ["0.02", "0.3", "1", "7"], [1]),  # the third lacks a part: not a finding
    ],
)
def test_compare_takes_a_sum_or_a_product(fn, total, broken):
    rule = {"validate": "compare", "op": "eq", "columns": ["a", "b"], "fn": fn}
    others = [field("a", column_type="float"), field("b", column_type="float")]
    columns = {"it": total, "a": ["0.1"] * 4, "b": ["0.2", "0.2", None, None]}

    assert rows_breaking(rule, columns, column_type="float", others=others) == broken


def test_numbers_of_options_are_compared_as_numbers():
    ranks = [{"label": str(n), "type": "int", "value": n} for n in (2, 10)]
    rule = {"validate": "compare", "op": "lt", "column": "limit"}
    more = {"columnType": "category", "dropdownOptions": ranks}
    fields = [{"key": "it", "validations": [rule], **more}, {"key": "limit", **more}]

    assert findings_in(fields, {"it": ["2", "10", "2"], "limit": ["10", "2", None]}) == [
        (1, "it", "compare")
    ]


def test_texts_of_options_are_compared_by_their_letters():
    sizes = [{"label": s, "type": "string", "value": s} for s in ("2", "10")]
    rule = {"validate": "compare", "op": "lt", "column": "limit"}
    more = {"columnType": "category", "dropdownOptions": sizes}
    fields = [{"key": "it", "validations": [rule], **more}, {"key": "limit", **more}]

    assert findings_in(fields, {"it": ["2", "10"], "limit": ["10", "2"]}) == [(0, "it", "compare")]


@pytest.mark.parametrize(("fn", "words"), [("sum", "First + b"), ("product", "First × b")])
def test_a_comparison_names_what_it_compares_with(fn, words):
    rule = {"validate": "compare", "op": "eq", "columns": ["a", "b"], "fn": fn}
    others = [field("a", column_type="int", label="First"), field("b", column_type="int")]

    rows = typed([field("it", rule, "int"), *others], {"it": ["9"], "a": ["2"], "b": ["3"]})

    assert [orjson.loads(f.params)["other"] for f in rows.findings] == [words]


@pytest.mark.parametrize(
    ("values", "cells", "broken"),
    [
        ({"n": [1, True]}, ["1", "2"], [0]),  # a boolean is not a number
        ({"n": "1"}, ["1", "2"], [0]),
        ({"n": ["many", 2]}, ["1", "2"], [1]),
        ({"t": True}, ["true", "1"], [0]),
    ],
)
def test_values_that_a_column_cannot_hold_are_in_no_row(values, cells, broken):
    rule = {"validate": "required_with_values", "columnValues": values}
    others = [field("n", column_type="int"), field("t")]
    columns = {"it": [None, None], "n": cells, "t": cells}

    assert rows_breaking(rule, columns, others=others) == broken


def test_a_rule_keeps_its_severity_and_message():
    rule = {
        "validate": "compare",
        "op": "lt",
        "value": 3,
        "severity": "warning",
        "errorMessage": "{value} is not {op} {other}!",
    }

    (finding,) = typed([field("it", rule, "int")], {"it": ["5"]}).findings

    assert finding.severity == "warning"
    assert orjson.loads(finding.params)["message"] == "{value} is not {op} {other}!"


def test_a_column_size_counts_characters_of_the_canonical_value():
    fields = [field("it", columnSize=3)]

    assert findings_in(fields, {"it": ["  äöü  ", "abcd", "👩🏽‍🚀"]}) == [
        (1, "it", "too_long"),
        (2, "it", "too_long"),  # four code points, whatever it looks like
    ]


def option(value, *conditions):
    shaped = [{"validate": condition} for condition in conditions]
    return {"label": value, "type": "string", "value": value, "validations": shaped}


@pytest.mark.parametrize(
    ("condition", "broken"),
    [
        ({"n": 5}, [1, 2]),
        ({"n": {"gte": 5, "lt": 6}}, [1, 2]),
        ({"any": {"n": {"gt": 5}, "s": "ok"}}, [2]),
        ({"not": {"s": {"regex": "^o"}}}, [0]),
        ({"s": {"filled": False}}, [0, 1]),
        ({"all": {"n": {"ne": 7}, "s": {"filled": True}}}, [1, 2]),
    ],
)
def test_a_condition_is_checked_where_its_option_is_chosen(condition, broken):
    fields = [
        {
            "key": "it",
            "columnType": "category",
            "dropdownOptions": [option("a", condition), option("b")],
        },
        field("n", column_type="int"),
        field("s"),
    ]
    columns = {
        "it": ["a", "a", "a", "b", None],
        "n": ["5", "7", None, "1", "1"],
        "s": ["ok", "no", None, None, None],
    }

    broken_rows = [
        row for row, _, code in findings_in(fields, columns) if code == "option_condition"
    ]

    assert broken_rows == broken


@pytest.mark.parametrize(
    ("condition", "broken"),
    [
        ({"state": "open"}, [1]),
        ({"state": {"ne": "open"}}, [0]),
        ({"rank": 2}, [0]),
        ({"tags": "x"}, [1]),  # among others
        ({"tags": {"ne": "x"}}, [0]),
    ],
)
def test_a_condition_may_ask_for_an_option_of_another_field(condition, broken):
    def choice(key, *values, **more):
        kind = "int" if isinstance(values[0], int) else "string"
        made = [{"label": f"is {v}", "type": kind, "value": v} for v in values]
        return {"key": key, "columnType": "category", "dropdownOptions": made, **more}

    fields = [
        {"key": "it", "columnType": "category", "dropdownOptions": [option("a", condition)]},
        choice("state", "open", "closed"),
        choice("rank", 1, 2),
        choice("tags", "x", "y", isMultiSelect=True),
    ]
    columns = {
        "it": ["a", "a"],
        "state": ["is open", "is closed"],
        "rank": ["is 1", "is 2"],
        "tags": ["is x; is y", "is y"],
    }

    assert [
        row for row, _, code in findings_in(fields, columns) if code == "option_condition"
    ] == broken


def test_a_number_is_compared_with_texts_of_options_as_a_text():
    rule = {"validate": "compare", "op": "eq", "value": 2}
    sizes = [{"label": s, "type": "string", "value": s} for s in ("2", "10")]
    fields = [field("it", rule, "category", dropdownOptions=sizes)]

    assert findings_in(fields, {"it": ["2", "10"]}) == [(1, "it", "compare")]


def test_a_condition_of_an_option_may_have_a_sentence_of_its_own():
    chosen = option("a", {"s": "ok"})
    chosen["validations"][0]["errorMessage"] = "{value} needs ok"
    fields = [field("it", column_type="category", dropdownOptions=[chosen]), field("s")]

    (finding,) = typed(fields, {"it": ["a"], "s": ["no"]}).findings

    assert finding.code == "option_condition"
    assert orjson.loads(finding.params)["message"] == "{value} needs ok"


def test_rules_of_an_entry_nothing_is_mapped_to_are_not_checked():
    fields = [field("it", required=True), field("other", required=True)]
    columns = {"it": ["x"], "spare": ["y"]}

    assert findings_in(fields, columns, mapping={"it": "e.it"}) == [(0, "other", "required")]
    assert findings_in(fields, columns, mapping={}) == []


def test_reference_rules_are_published_and_left_to_resolving():
    reference = {"entity": "e", "matchOn": ["it"], "onMissing": "error", "cardinality": "one"}
    rule = {"validate": "reference_exists"}

    assert findings_in([field("it", rule, reference=reference)], {"it": ["x", None]}) == []


def test_a_pattern_with_look_around_is_searched():
    rule = {"validate": "regex", "regex": r"^(?=.*\d)(?=.*[a-z])(\w)(?!\1).+$"}

    assert rows_breaking(rule, {"it": ["ab1", "abc", "aa1", None, "1x"]}) == [1, 2]


def test_a_pattern_that_runs_out_of_time_is_an_issue_that_says_so(monkeypatch):
    monkeypatch.setattr("tabular.types.patterns.PATIENCE_S", 0.005)
    rule = {"validate": "regex", "regex": r"^(?!x)(a|aa)+$", "severity": "warning"}
    texts = ["aa", "a" * 60 + "!", "aa"]

    rows = typed([field("it", rule)], {"it": texts})

    assert [(f.code, f.severity, f.rows.tolist()) for f in rows.findings] == [
        ("regex_timeout", "warning", [1])
    ]


def test_a_rule_that_lost_its_patience_leaves_the_rest_undecided(monkeypatch):
    monkeypatch.setattr("tabular.types.patterns.PATIENCE_S", 0.005)
    monkeypatch.setattr("tabular.types.patterns.EXHAUSTED_S", 0.001)
    rule = {"validate": "regex", "regex": r"^(?!x)(a|aa)+$"}

    rows = typed([field("it", rule)], {"it": ["a" * 60 + "!", "aa"]})

    assert [(f.code, f.rows.tolist()) for f in rows.findings] == [("regex_timeout", [0, 1])]


TIMES = ["08:30", "09:00:00", "9:00", None]


@pytest.mark.parametrize("column_type", ["time_hm", "time_hm_24", "time_hms", "time_hms_24"])
@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        ("required_with_values", [1, 2]),
        ("required_with_all_values", [1, 2]),
        ("required_without_values", [0, 3]),
        ("required_without_all_values", [0, 3]),
    ],
)
def test_a_condition_on_a_time_takes_it_as_people_write_it(column_type, kind, broken):
    rule = {"validate": kind, "columnValues": {"at": ["09:00", "soon", True, 9.5]}}
    columns = {"it": EMPTY, "at": TIMES}

    at = field("at", column_type=column_type)
    assert rows_breaking(rule, columns, others=[at]) == broken


NUMBERS = [{"type": "int", "value": n, "label": f"No. {n}"} for n in (1, 2)]


@pytest.mark.parametrize("side", [{"column": "many"}, {"columns": ["many"], "fn": "sum"}])
def test_several_options_are_not_compared_with(side):
    many = field("many", column_type="category", dropdownOptions=NUMBERS, isMultiSelect=True)
    rule = {"validate": "compare", "op": "gt", **side}
    columns = {"it": ["1", "3"], "many": ["1;2", "2"]}

    assert rows_breaking(rule, columns, column_type="int", others=[many]) == []


@pytest.mark.parametrize("value", ["x", True, "1"])
def test_a_number_of_options_is_not_compared_with_what_is_not_a_number(value):
    rule = {"validate": "compare", "op": "gt", "value": value}
    it = field("it", rule, "category", dropdownOptions=NUMBERS)

    assert findings_in([it], {"it": ["1", "2"]}) == []

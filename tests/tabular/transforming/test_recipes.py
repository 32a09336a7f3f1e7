"""Recipe steps: what each does, and that a recipe is used as a whole or not at all."""

import orjson
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from tabular.model import recipe as nouns
from tabular.model.mapping import by_source
from tabular.model.recipe import Recipe
from tabular.model.table import Kind
from tabular.protocol.plan import UnusablePlan
from tabular.transforming.executing import execute, recipe_findings
from tabular.transforming.step_rows import StepRows
from tabular.transforming.steps import worker
from tests.tabular.tables import batch, findings_in, plan_for, typed
from tests.tries import tries

SOURCE = {"a": [" x ", "y", None], "b": ["1", None, "3"]}


def recipe(*steps):
    return Recipe.model_validate_json(orjson.dumps({"version": 1, "steps": list(steps)}))


def cook(columns, *steps, batch_rows=None):
    plan = plan_for([{"key": "it"}], {}, recipe=recipe(*steps), mapping={})
    whole = pa.Table.from_batches([batch(columns)])
    batches = whole.to_batches(max_chunksize=batch_rows) if batch_rows else whole.to_batches()
    rows = []
    for step_rows in execute(batches, plan):
        cells = [column.to_pylist() for column in step_rows.columns.values()]
        places = zip(step_rows.sources.to_pylist(), step_rows.ordinals.to_pylist(), strict=True)
        rows += [
            (place, dict(zip(step_rows.columns, row, strict=True)))
            for place, row in zip(places, zip(*cells, strict=True), strict=True)
        ]
    return rows


def column(name, columns, *steps):
    return [row[name] for _, row in cook(columns, *steps)]


@pytest.mark.parametrize(
    ("step", "before", "after"),
    [
        ({"do": "trim"}, ["  a  b ", "\u00a0", None], ["a  b", None, None]),
        ({"do": "trim", "collapse": True}, ["  a \t b "], ["a b"]),
        ({"do": "case", "to": "upper"}, ["zoë", None], ["ZOË", None]),
        ({"do": "case", "to": "title"}, ["anna von b"], ["Anna Von B"]),
        ({"do": "replace", "find": ".", "by": ""}, ["1.2.3"], ["123"]),
        ({"do": "regex_replace", "pattern": r"(\d+)-(\d+)", "by": r"\2-\1"}, ["1-22"], ["22-1"]),
        ({"do": "fill_down"}, [None, "a", " ", None, "b", None], [None, "a", "a", "a", "b", "b"]),
        ({"do": "default", "value": "?"}, ["a", " ", None], ["a", "?", "?"]),
        (
            {"do": "map_values", "values": {"m": "male", "f": ""}},
            ["m", " f", "x"],
            ["male", "", "x"],
        ),
        ({"do": "read_date", "order": "mdy"}, ["1/2/2024"], ["1/2/2024"]),
    ],
)
def test_a_step_changes_the_column_it_names(step, before, after):
    step = step | {"columns": ["a"]}

    assert column("a", {"a": before}, step) == after
    assert column("b", {"a": before, "b": before}, step) == before


def test_a_split_gives_the_last_part_the_rest_and_missing_parts_nothing():
    step = {"do": "split", "column": "a", "separator": ", ", "into": ["p", "q"]}

    rows = [row for _, row in cook({"a": ["x, y, z", "x", None, ""]}, step)]

    assert [(row["p"], row["q"]) for row in rows] == [
        ("x", "y, z"),
        ("x", None),
        (None, None),
        (None, None),
    ]


def test_a_join_leaves_empty_parts_out():
    step = {"do": "join", "columns": ["a", "b"], "separator": "-", "into": "c"}

    assert column("c", {"a": ["x", " ", None], "b": ["y", "z", None]}, step) == ["x-y", "z", None]


def test_a_coalesce_takes_the_first_filled_cell_in_the_order_of_its_columns():
    step = {"do": "coalesce", "columns": ["b", "a"], "into": "c"}
    cells = {"a": ["x", "y", " ", None], "b": ["z", "\u00a0", " w ", ""]}

    assert column("c", cells, step) == ["z", "y", " w ", None]


def test_a_coalesce_keeps_what_the_file_says_a_cell_is():
    step = nouns.Coalesce(do="coalesce", columns=("a", "b"), into="c")
    columns = {"a": pa.array([None, "0.5", " "]), "b": pa.array(["7", "8", "9"])}
    number, percent, text = Kind.NUMBER, Kind.PERCENT, Kind.TEXT
    kinds = {"a": pa.array([text, percent, number], pa.int8())}
    rows = pa.array([0, 1, 2], pa.int64())

    step_rows = worker(step)(StepRows(rows, pa.array([0, 0, 0], pa.int32()), columns, kinds))

    assert step_rows.columns["c"].to_pylist() == ["7", "0.5", "9"]
    assert step_rows.kinds["c"].to_pylist() == [text, percent, text]


def test_a_copy_and_a_constant_are_new_columns():
    steps = (
        {"do": "copy", "column": "a", "into": "again"},
        {"do": "constant", "into": "c", "value": "k"},
    )

    assert [tuple(row.values()) for _, row in cook({"a": ["x"]}, *steps)] == [("x", "x", "k")]


@pytest.mark.parametrize(
    ("where", "value", "kept"),
    [("empty", None, [0, 2]), ("equals", "x", [1, 2]), ("matches", "^[xy]$", [1])],
)
def test_rows_are_dropped_by_what_a_column_holds(where, value, kept):
    step = {"do": "drop_rows", "columns": ["a"], "where": where, "value": value}

    assert [place[0] for place, _ in cook({"a": ["x", None, "y"]}, step)] == kept


def test_rows_are_dropped_only_when_every_named_column_agrees():
    step = {"do": "drop_rows", "columns": ["a", "b"], "where": "empty"}

    assert [
        place[0] for place, _ in cook({"a": ["x", None, None], "b": [None, "y", None]}, step)
    ] == [0, 1]


def test_unpivoting_makes_a_row_of_each_filled_cell_and_keeps_its_source():
    step = {"do": "unpivot", "columns": ["q1", "q2"], "nameInto": "quarter", "valueInto": "sum"}
    columns = {"id": ["a", "b"], "q1": ["1", None], "q2": ["2", "4"]}

    assert cook(columns, step) == [
        ((0, 0), {"id": "a", "quarter": "q1", "sum": "1"}),
        ((0, 1), {"id": "a", "quarter": "q2", "sum": "2"}),
        ((1, 1), {"id": "b", "quarter": "q2", "sum": "4"}),
    ]
    assert len(cook(columns, step | {"keepEmpty": True})) == 4


def test_a_second_unpivot_keeps_every_row_apart():
    steps = [
        {"do": "unpivot", "columns": ["a", "b"], "nameInto": "n1", "valueInto": "v1"},
        {"do": "unpivot", "columns": ["c", "d"], "nameInto": "n2", "valueInto": "v2"},
    ]

    places = [place for place, _ in cook({name: ["1"] for name in "abcd"}, *steps)]

    assert places == [(0, 0), (0, 1), (0, 2), (0, 3)]


GROUPED = {"do": "fill_down", "columns": ["order", "city"], "within": ["order"]}


@pytest.mark.parametrize("batch_rows", [None, 1, 2])
@pytest.mark.parametrize(
    ("order", "city", "filled"),
    [
        (["A", "A", "B", "B"], ["x", None, None, "y"], ["x", "x", None, "y"]),
        (["A", " ", "B", None], ["x", None, None, None], ["x", "x", None, None]),
        (["A", " A", None, "B"], ["x", " ", None, "y"], ["x", "x", "x", "y"]),
        ([None, None, "A", None], ["x", None, None, "y"], ["x", "x", None, "y"]),
        (["A", "B", "A", None], ["x", "y", None, None], ["x", "y", None, None]),  # a new run
    ],
)
def test_a_value_is_filled_down_in_rows_of_its_group_only(batch_rows, order, city, filled):
    rows = cook({"order": order, "city": city}, GROUPED, batch_rows=batch_rows)

    assert [row["city"] for _, row in rows] == filled


def test_a_group_of_two_columns_begins_where_one_of_them_differs():
    step = {"do": "fill_down", "columns": ["c"], "within": ["a", "b"]}
    columns = {"a": ["1", None, None, "2"], "b": ["x", None, "y", None], "c": ["p", *[None] * 3]}

    assert column("c", columns, step) == ["p", "p", None, None]
    assert column("a", columns, step) == ["1", None, None, "2"]


def test_filling_down_in_groups_keeps_what_the_file_says_a_cell_is():
    step = nouns.FillDown(do="fill_down", columns=("v",), within=("k",))
    columns = {"k": pa.array(["A", None, "B", None]), "v": pa.array(["7", None, None, "x"])}
    kinds = {"v": pa.array([Kind.NUMBER, Kind.TEXT, Kind.TEXT, Kind.TEXT], pa.int8())}
    rows = pa.array(range(4), pa.int64())

    step_rows = worker(step)(StepRows(rows, pa.array([0] * 4, pa.int32()), columns, kinds))

    assert step_rows.columns["v"].to_pylist() == ["7", "7", None, "x"]
    assert step_rows.kinds["v"].to_pylist() == [Kind.NUMBER, Kind.NUMBER, Kind.TEXT, Kind.TEXT]


GROUPS = {
    "do": "unpivot_groups",
    "groups": {"item": ["item1", "Item 2", "item_3"], "qty": ["qty1", "qty2", None]},
}


def test_numbered_columns_become_a_row_for_each_group_that_has_a_cell():
    columns = {
        "order": ["A", "B", "C"],
        "item1": ["bolt", None, " "],
        "qty1": ["1", None, None],
        "Item 2": ["nut", None, ""],
        "qty2": [None, "4", None],
        "item_3": ["pin", None, None],
    }

    assert cook(columns, GROUPS) == [
        ((0, 0), {"order": "A", "item": "bolt", "qty": "1"}),
        ((0, 1), {"order": "A", "item": "nut", "qty": None}),
        ((0, 2), {"order": "A", "item": "pin", "qty": None}),
        ((1, 1), {"order": "B", "item": None, "qty": "4"}),
        ((2, 0), {"order": "C", "item": " ", "qty": None}),  # an order is never lost
    ]


def test_rows_that_a_user_took_back_keep_every_group():
    step = nouns.UnpivotGroups(do="unpivot_groups", groups={"i": ("i1", "i2")})
    columns = {"i1": pa.array(["a", "b"]), "i2": pa.array([None, None], pa.string())}
    start = StepRows(pa.array([0, 1], pa.int64()), pa.array([0, 0], pa.int32()), columns)

    step_rows = worker(step, keep=[1])(start)

    assert step_rows.sources.to_pylist() == [0, 1, 1]
    assert step_rows.ordinals.to_pylist() == [0, 0, 1]


def test_numbered_cells_keep_their_kinds_and_their_issues():
    step = nouns.UnpivotGroups(do="unpivot_groups", groups={"i": ("a", "b"), "q": ("c", None)})
    columns = {"a": ["7", None], "b": [None, "x"], "c": [None, None]}
    columns = {name: pa.array(texts, pa.string()) for name, texts in columns.items()}
    kinds = {"a": pa.array([Kind.NUMBER, Kind.TEXT], pa.int8())}
    flaws = {"c": pa.array([None, "unknown_key\nX"], pa.string())}
    places = pa.array([0, 1], pa.int64()), pa.array([0, 0], pa.int32())

    step_rows = worker(step)(StepRows(*places, columns, kinds, flaws=flaws))

    assert step_rows.columns["i"].to_pylist() == ["7", None, "x"]
    assert step_rows.kinds["i"].to_pylist() == [Kind.NUMBER, Kind.TEXT, Kind.TEXT]
    assert step_rows.flaws["q"].to_pylist() == [None, "unknown_key\nX", None]


NUMBERED = st.lists(
    st.tuples(*[st.sampled_from([None, "", " ", "a", "b"])] * 4), min_size=1, max_size=8
)


@settings(max_examples=tries(60))
@given(lines=NUMBERED)
def test_every_filled_cell_of_numbered_columns_is_in_the_row_of_its_group(lines):
    columns = dict(zip(("i1", "q1", "i2", "q2"), map(list, zip(*lines, strict=True)), strict=True))
    step = {"do": "unpivot_groups", "groups": {"i": ["i1", "i2"], "q": ["q1", "q2"]}}

    rows = cook({"k": [str(n) for n in range(len(lines))], **columns}, step)

    filled = {
        (source, number)
        for source, line in enumerate(lines)
        for number in (0, 1)
        if any((cell or "").strip() for cell in line[2 * number : 2 * number + 2])
    }
    alone = {(source, 0) for source in range(len(lines))} - {(s, 0) for s, _ in filled}
    assert [place for place, _ in rows] == sorted(filled | alone)
    for (source, number), row in rows:
        assert row == {
            "k": str(source),
            "i": lines[source][2 * number],
            "q": lines[source][2 * number + 1],
        }


@settings(max_examples=tries(60))
@given(
    lines=st.lists(
        st.tuples(*[st.sampled_from([None, " ", "a", "b"])] * 3), min_size=1, max_size=9
    ),
    batch_rows=st.integers(1, 9),
)
def test_filling_down_in_groups_is_what_a_reader_of_the_lines_does(lines, batch_rows):
    key, other, value = map(list, zip(*lines, strict=True))
    step = {"do": "fill_down", "columns": ["v"], "within": ["k", "o"]}

    rows = cook({"k": key, "o": other, "v": value}, step, batch_rows=batch_rows)

    now, last, expected = [None, None], None, []
    for *cells, text in lines:
        known = [(cell or "").strip() or before for cell, before in zip(cells, now, strict=True)]
        last = (text or "").strip() or (last if known == now else None)
        now = known
        expected.append(last)
    assert [row["v"] for _, row in rows] == expected


CELLS = st.lists(
    st.one_of(st.none(), st.sampled_from(["", " x", "y-z", "1"])), min_size=1, max_size=7
)
STEPS = st.lists(
    st.sampled_from(
        [
            {"do": "fill_down", "columns": ["a"]},
            {"do": "fill_down", "columns": ["b"], "within": ["a"]},
            {"do": "unpivot_groups", "groups": {"g": ["a", "b"], "h": [None, "c"]}},
            {"do": "drop_rows", "columns": ["b"], "where": "empty"},
            {"do": "trim", "columns": ["a", "b"]},
            {"do": "split", "column": "a", "separator": "-", "into": ["p", "q"]},
            {"do": "unpivot", "columns": ["a", "b"], "nameInto": "n", "valueInto": "v"},
        ]
    ),
    unique_by=lambda step: (step["do"], "within" in step),
    max_size=4,
)


@settings(max_examples=tries(60))
@given(a=CELLS, steps=STEPS, batch_rows=st.integers(1, 7))
def test_a_streamed_source_is_cooked_like_a_whole_one(a, steps, batch_rows):
    columns = {"a": a, "b": list(reversed(a)), "c": [*a[1:], None]}
    if recipe_findings(recipe(*steps).steps, columns):
        return

    assert cook(columns, *steps, batch_rows=batch_rows) == cook(columns, *steps)


@pytest.mark.parametrize(
    ("steps", "pointer", "code"),
    [
        ([{"do": "trim", "columns": ["nope"]}], "/steps/0", "unknown_column"),
        (
            [
                {"do": "unpivot", "columns": ["a"], "nameInto": "n", "valueInto": "v"},
                {"do": "trim", "columns": ["a"]},
            ],
            "/steps/1",
            "unknown_column",
        ),
        ([{"do": "copy", "column": "a", "into": "b"}], "/steps/0", "column_exists"),
        (
            [{"do": "fill_down", "columns": ["a"], "within": ["nope"]}],
            "/steps/0",
            "unknown_column",
        ),
        (
            [
                {"do": "unpivot_groups", "groups": {"it": ["a", "b"]}},
                {"do": "trim", "columns": ["b"]},
            ],
            "/steps/1",
            "unknown_column",
        ),
        (
            [{"do": "unpivot_groups", "groups": {"it": ["a"], "no/x": ["b", None]}}],
            "/steps/0/groups/it",
            "wrong_value",
        ),
        (
            [{"do": "unpivot_groups", "groups": {"it": ["a", "a"]}}],
            "/steps/0/groups",
            "wrong_value",
        ),
        ([{"do": "unpivot_groups", "groups": {"b": ["a"]}}], "/steps/0", "column_exists"),
        ([{"do": "constant", "into": "__row__", "value": ""}], "/steps/0", "column_exists"),
        (
            [{"do": "split", "column": "a", "separator": ",", "into": ["p", "p"]}],
            "/steps/0",
            "column_exists",
        ),
        (
            [{"do": "regex_replace", "columns": ["a"], "pattern": "(?=x)", "by": ""}],
            "/steps/0",
            "refused_pattern",
        ),
        (
            [{"do": "regex_replace", "columns": ["a"], "pattern": "x", "by": r"\1"}],
            "/steps/0/by",
            "refused_replacement",
        ),
        (
            [{"do": "drop_rows", "columns": ["a"], "where": "equals"}],
            "/steps/0/value",
            "wrong_value",
        ),
    ],
)
def test_a_recipe_that_does_not_fit_is_refused_before_any_row(steps, pointer, code):
    findings = recipe_findings(recipe(*steps).steps, SOURCE)

    assert [(f.pointer, f.code) for f in findings] == [(pointer, code)]
    with pytest.raises(UnusablePlan) as refused:
        cook(SOURCE, *steps)
    assert refused.value.details["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize(
    "document",
    [
        {"version": 2, "steps": []},
        {"version": 1, "steps": [{"do": "exec", "columns": ["a"]}]},
        {"version": 1, "steps": [{"do": "trim", "columns": ["a"], "more": 1}]},
        {"version": 1, "steps": [{"do": "trim", "columns": []}]},
        {"version": 1, "steps": [{"do": "unpivot_groups", "groups": {}}]},
        {"version": 1, "steps": [{"do": "unpivot_groups", "groups": {"it": []}}]},
        {"version": 1, "steps": [{"do": "unpivot_groups", "groups": {"it": [""]}}]},
        {"version": 1, "steps": [{"do": "fill_down", "columns": ["a"], "within": ["k"] * 51}]},
        {"version": 1, "steps": [{"do": "replace", "columns": ["a"], "find": "", "by": "x"}]},
    ],
)
def test_the_vocabulary_is_closed(document):
    with pytest.raises(ValidationError):
        Recipe.model_validate_json(orjson.dumps(document))


def test_a_reading_step_settles_how_a_column_is_read():
    fields = [{"key": "d", "columnType": "date"}, {"key": "n", "columnType": "float"}]
    columns = {"d": ["01/02/2024"], "n": ["1.234"]}
    steps = recipe(
        {"do": "read_date", "columns": ["d"], "order": "mdy"},
        {"do": "read_number", "columns": ["n"], "format": "eu"},
    )

    rows = typed(fields, columns, recipe=steps)

    assert str(rows.values["e.d"][0]) == "2024-01-02"
    assert rows.values["e.n"][0].as_py() == 1234.0


def test_two_columns_for_one_field_are_refused():
    with pytest.raises(UnusablePlan) as refused:
        plan_for([{"key": "it"}], {}, mapping={"a": "e.it", "b": "e.it"})

    assert refused.value.code == "field_mapped_twice"


def test_a_mapping_onto_a_disabled_field_is_refused():
    with pytest.raises(UnusablePlan) as refused:
        plan_for([{"key": "it", "disabled": True}], {}, mapping={"a": "e.it"})

    assert refused.value.code == "unknown_field"


def test_a_hidden_field_is_filled_by_its_default_and_delivered():
    fields = [{"key": "it"}, {"key": "tenant", "hidden": True, "required": True}]

    rows = typed(fields, {"it": ["x"]}, context={"defaults": {"e.tenant": "acme"}})

    assert rows.values["e.tenant"].to_pylist() == ["acme"]
    assert rows.findings == []


def test_a_default_fills_blank_cells_only_and_is_read_like_a_cell():
    fields = [{"key": "n", "columnType": "int"}]

    rows = typed(fields, {"n": ["1", " ", None]}, context={"defaults": {"e.n": "7"}})

    assert rows.values["e.n"].to_pylist() == [1, 7, 7]


def test_a_document_field_has_one_value_in_every_row():
    fields = [{"key": "it"}, {"key": "order", "scope": "document", "label": "Order No."}]
    document = {"order no": "4711"}

    rows = typed(fields, {"it": ["x", "y"]}, document=document)

    assert rows.values["e.order"].to_pylist() == ["4711", "4711"]


def test_a_document_field_with_a_column_takes_the_first_text_and_names_others():
    fields = [{"key": "order", "scope": "document"}]

    columns = {"order": [None, "4711", "4711", "4712"]}

    assert typed(fields, columns).values["e.order"].to_pylist() == ["4711", "4711", "4711", "4712"]
    assert findings_in(fields, columns) == [(3, "order", "document_differs")]


def test_options_of_this_import_replace_those_of_the_catalog():
    fields = [{"key": "it", "columnType": "category"}]
    options = {"e.it": ({"label": "Red", "type": "string", "value": "r"},)}

    rows = typed(fields, {"it": ["red"]}, context={"options": options})

    assert rows.values["e.it"].to_pylist() == ["r"]


SPLIT = {"do": "split", "column": "Name", "separator": " ", "into": ["First", "Last"]}
JOIN = {"do": "join", "columns": ["Street", "No"], "into": "Address"}


@pytest.mark.parametrize(
    ("steps", "mapping", "columns", "expected"),
    [
        ([], {"A": "p.a", "B": "p.b"}, ["A", "B", "C"], {"A": "p.a", "B": "p.b"}),
        ([{"do": "trim", "columns": ["A"]}], {"A": "p.a"}, ["A"], {"A": "p.a"}),
        (
            [SPLIT],
            {"First": "p.first", "Last": "p.last"},
            ["Name"],
            {"Name": "p.first", "Name (2)": "p.last"},
        ),
        (  # the file has a column of the further name
            [SPLIT],
            {"First": "p.first", "Last": "p.last", "Name (2)": "p.nick"},
            ["Name", "Name (2)"],
            {"Name": "p.first", "Name (3)": "p.last", "Name (2)": "p.nick"},
        ),
        ([SPLIT], {"Last": "p.last"}, ["Name"], {"Name": "p.last"}),
        (
            [JOIN],
            {"Address": "p.address"},
            ["Street", "No"],
            {"Street": "p.address", "No": "p.address"},
        ),
        (
            [{"do": "copy", "column": "A", "into": "B"}],
            {"A": "p.a", "B": "p.b"},
            ["A"],
            {"A": "p.a", "A (2)": "p.b"},
        ),
        (
            [{"do": "constant", "into": "C", "value": "x"}],
            {"A": "p.a", "C": "p.c"},
            ["A"],
            {"A": "p.a"},
        ),
        (  # a join of a part and another column
            [SPLIT, {"do": "join", "columns": ["Last", "No"], "into": "Id"}],
            {"Id": "p.id", "First": "p.first"},
            ["Name", "No"],
            {"Name": "p.id", "No": "p.id", "Name (2)": "p.first"},
        ),
        (
            [{"do": "unpivot", "columns": ["Q1", "Q2"], "nameInto": "quarter", "valueInto": "sum"}],
            {"sum": "p.sum", "quarter": "p.quarter"},
            ["Q1", "Q2"],
            {"Q1": "p.sum", "Q2": "p.sum", "Q1 (2)": "p.quarter", "Q2 (2)": "p.quarter"},
        ),
        (  # each column is said to feed the field of its own
            [{"do": "unpivot_groups", "groups": {"i": ["i1", "i2"], "q": ["q1", None]}}],
            {"i": "l.item", "q": "l.qty"},
            ["i1", "q1", "i2"],
            {"i1": "l.item", "i2": "l.item", "q1": "l.qty"},
        ),
    ],
)
def test_a_mapping_is_said_in_the_columns_of_the_file(steps, mapping, columns, expected):
    source = by_source(mapping, recipe(*steps), columns)

    assert list(source.items()) == list(expected.items())

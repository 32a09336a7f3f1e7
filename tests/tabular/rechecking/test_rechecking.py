"""An edited cell looks as if its text had been in the file; a row can tell where it comes from."""

import orjson
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tabular.job.transform import transform
from tabular.protocol.results import TextCount
from tabular.rechecking.explaining import explain
from tabular.rechecking.recheck import Staged, recheck
from tabular.transforming.inferred import inferred_of
from tabular.transforming.source import Source
from tests.jobs import transforming_of
from tests.tries import tries

FIELDS = [
    {"key": "id", "validations": [{"validate": "unique"}, {"validate": "required"}]},
    {"key": "n", "columnType": "int"},
    {
        "key": "m",
        "columnType": "int",
        "validations": [
            {"validate": "compare", "op": "gte", "column": "n"},
            {"validate": "unique", "columns": ["n"], "severity": "warning"},
        ],
    },
]
CELLS = {
    "id": ["a", "b", "a", None, "c"],
    "n": ["1", "2", "x", "4", "1"],
    "m": ["1", "1", "3", "4", "1"],
}


def write_source(path, columns, batch_rows):
    arrays = [pa.array(values, pa.string()) for values in columns.values()]
    rows = pa.array(range(10, 10 + len(arrays[0])), pa.int64())
    table = pa.table([rows, *arrays], names=["__row__", *columns])
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table, max_chunksize=batch_rows)


class Import:
    """One transformed table and its later views."""

    def __init__(
        self, folder, columns, *, fields=FIELDS, steps=(), mapping=None, batch_rows=2, **extra
    ):
        folder.mkdir(parents=True)
        write_source(folder / "source.arrow", columns, batch_rows)
        request = transforming_of(
            folder / "source.arrow",
            catalog={"key": "t", "entries": [{"id": "e", "fields": fields}]},
            mapping=mapping or {name: f"e.{name}" for name in columns},
            recipe={"version": 1, "steps": list(steps)},
            **extra,
        )
        self.result = transform(request, folder, lambda *_: None)
        self.out = folder / "out"
        self.source = Source(folder / "source.arrow")
        self.staged = Staged(self.out.joinpath, self.result)
        self.plan = request.plan
        self.inferred = inferred_of(self.plan, self.result.inferred)

    def recheck(self, edits, **more):
        return recheck(
            self.source, self.staged, plan=self.plan, inferred=self.inferred, edits=edits, **more
        )

    def explain(self, *place, **more):
        return explain(self.source, place, plan=self.plan, inferred=self.inferred, **more)

    def issues(self):
        with pa.memory_map(str(self.out / "issues.arrow")) as file:
            issue_rows = pa.ipc.open_file(file).read_all().to_pylist()
        return {
            (i["row"], i["field"], i["code"], i["severity"], i["value"]): orjson.loads(
                i["params"] or "{}"
            )
            for i in issue_rows
        }

    def values(self, field):
        return self.staged.values(field, range(self.result.rows)).to_pylist()


def as_issues(rechecked):
    all_issues = [issue for issues in rechecked.issues.values() for issue in issues]
    all_issues += [issue for group in rechecked.unique for issue in group.values() if issue]
    return {(i.row, i.field, i.code, i.severity, i.value): dict(i.params) for i in all_issues}


def test_an_edit_that_mends_a_cell_leaves_no_issue_of_its_row(tmp_path):
    table = Import(tmp_path / "a", CELLS)

    rechecked = table.recheck({(2, "e.n"): "3", (2, "e.id"): "d"})

    assert rechecked.values["e.n"].to_pylist() == [3]
    assert rechecked.issues == {2: ()}
    assert rechecked.unique[0] == {0: None, 2: None}


def test_an_edit_that_repeats_a_unique_value_names_the_first_row(tmp_path):
    table = Import(tmp_path / "a", CELLS)

    rechecked = table.recheck({(0, "e.id"): "c"})

    assert rechecked.unique[0][0] is None
    assert rechecked.unique[0][2] is None  # the first "a" went away
    assert rechecked.unique[0][4].params == {"firstRow": 0}


def test_an_earlier_edit_elsewhere_counts_and_a_former_text_lets_go(tmp_path):
    table = Import(tmp_path / "a", CELLS)

    rechecked = table.recheck(
        {(3, "e.id"): "z"}, others={(1, "e.id"): "q"}, former={(3, "e.id"): "q"}
    )

    assert rechecked.unique[0] == {1: None, 3: None}


VALUES = st.sampled_from([None, "a", "b", "1", "2", "x"])
EDITS = st.dictionaries(
    st.tuples(st.integers(0, 4), st.sampled_from(["e.id", "e.n", "e.m"])),
    VALUES,
    min_size=1,
    max_size=4,
)


@settings(
    max_examples=tries(25),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(edits=EDITS, split=st.integers(0, 4))
def test_rechecked_edits_equal_a_new_transform_of_the_edited_file(tmp_path, edits, split):
    folder = tmp_path / str(len(list(tmp_path.iterdir())))
    table = Import(folder / "before", CELLS)
    columns = {name: list(values) for name, values in CELLS.items()}
    for (row, path), text in edits.items():
        columns[path[2:]][row] = text
    whole = Import(folder / "after", columns)
    new = {cell: text for cell, text in edits.items() if cell[0] >= split} or edits
    others = {cell: text for cell, text in edits.items() if cell not in new}

    rechecked = table.recheck(new, others=others)

    firsts = ("e.id", "e.m")  # the first fields of the two groups
    concerned = {
        (row, field) for field, group in zip(firsts, rechecked.unique, strict=True) for row in group
    }
    expected = {
        key: params
        for key, params in whole.issues().items()
        if (key[:2] in concerned if key[2] == "unique" else key[0] in rechecked.rows)
    }
    assert as_issues(rechecked) == expected
    for path, values in rechecked.values.items():
        assert values.to_pylist() == [whole.values(path)[row] for row in rechecked.rows]


STEPS = [
    {"do": "fill_down", "columns": ["group"]},
    {"do": "trim", "columns": ["a"]},
    {"do": "join", "columns": ["group", "a"], "separator": "/", "into": "key"},
    {"do": "unpivot", "columns": ["q1", "q2"], "nameInto": "quarter", "valueInto": "sum"},
    {"do": "replace", "columns": ["sum"], "find": " kg", "by": ""},
]
LONG = {
    "group": ["G1", None, None, "G2", None],
    "a": [" x", "y", "z ", "u", "v"],
    "q1": ["1 kg", "2", "3", "4", None],
    "q2": ["5", "6,5 kg", "7", "8", "9"],
}
LONG_FIELDS = [
    {"key": "key"},
    {"key": "quarter"},
    {"key": "sum", "columnType": "float", "numberFormat": "eu"},
    {"key": "note"},
]
LONG_MAPPING = {"key": "e.key", "quarter": "e.quarter", "sum": "e.sum"}


@pytest.fixture
def cooked(tmp_path):
    return Import(
        tmp_path / "long",
        LONG,
        fields=LONG_FIELDS,
        steps=STEPS,
        mapping=LONG_MAPPING,
        context={"today": "2026-01-02", "defaults": {"e.note": "-"}},
    )


def test_the_first_filled_of_several_columns_is_the_one_a_value_comes_from(tmp_path):
    made = Import(
        tmp_path / "i",
        {"mobile": ["1", " ", None], "office": ["2", "3", None]},
        fields=[{"key": "phone"}],
        steps=[
            {"do": "trim", "columns": ["office"]},
            {"do": "coalesce", "columns": ["mobile", "office"], "into": "any"},
        ],
        mapping={"any": "e.phone"},
    )

    first_cells = [made.explain(row, 0).cells[0] for row in range(3)]

    assert [cell.value for cell in first_cells] == ["1", "3", None]
    assert [dict(cell.texts) for cell in first_cells] == [
        {"mobile": "1"},
        {"office": "3"},
        {"mobile": None, "office": None},
    ]
    assert [step.do for step in first_cells[0].steps] == ["coalesce"]
    assert [step.do for step in first_cells[1].steps] == ["trim", "coalesce"]


def test_a_row_explains_its_source_its_steps_and_its_values(cooked):
    story = cooked.explain(2, 1)

    key, quarter, total, note = story.cells
    assert (story.source_row, story.page) == (12, None)
    assert (key.value, key.texts, key.stems_from) == ("G1/z", {"a": "z ", "group": None}, "column")
    assert [(step.do, dict(step.texts)) for step in key.steps] == [
        ("fill_down", {"group": "G1"}),
        ("trim", {"a": "z"}),
        ("join", {"key": "G1/z"}),
    ]
    assert (quarter.value, quarter.texts) == ("q2", {"q1": "3", "q2": "7"})
    assert [step.do for step in total.steps] == ["unpivot", "replace"]
    assert (total.read, total.value) == ("7", 7)
    assert (note.value, note.stems_from, note.texts) == ("-", "default", {})


LINES = {
    "order": ["A", None, "B", None, None, "C"],
    "city": ["Rome", None, None, None, None, None],
    "i1": ["bolt", "nut", None, "pin", None, "cap"],
    "i2": [None, "rod", "peg", None, "hub", None],
    "q2": [None, "2", "3", None, "5", None],
}
OF_LINES = [
    {"do": "fill_down", "columns": ["city"], "within": ["order"]},
    {"do": "fill_down", "columns": ["order"]},
    {"do": "unpivot_groups", "groups": {"item": ["i1", "i2"], "qty": [None, "q2"]}},
    {"do": "case", "columns": ["item"], "to": "upper"},
]


@pytest.fixture
def grouped(tmp_path):
    """Lines of orders in a source of batches of one row."""
    made = Import(
        tmp_path / "lines",
        LINES,
        fields=[{"key": key} for key in ("order", "city", "item", "qty")],
        steps=OF_LINES,
        mapping={key: f"e.{key}" for key in ("order", "city", "item", "qty")},
        batch_rows=1,
    )
    assert made.values("e.city") == ["Rome"] * 3 + [None] * 4
    return made


def test_a_value_of_numbered_columns_comes_from_the_cell_of_its_group(grouped):
    order, city, item, qty = grouped.explain(1, 1).cells

    assert (item.value, item.texts) == ("ROD", {"i2": "rod"})
    assert (qty.value, qty.texts) == ("2", {"q2": "2"})
    assert [(step.do, dict(step.texts)) for step in item.steps] == [
        ("unpivot_groups", {"item": "rod"}),
        ("case", {"item": "ROD"}),
    ]
    assert (order.value, city.value, city.texts) == ("A", "Rome", {"city": None})
    assert [step.do for step in city.steps] == ["fill_down"]
    first = grouped.explain(1, 0).cells
    assert (first[2].texts, first[3].texts) == ({"i1": "nut"}, {})


def test_a_row_is_read_again_with_what_its_group_alone_fills(grouped):
    places = [
        (source, ordinal)
        for source, ordinal in ((0, 0), (1, 0), (1, 1), (2, 1), (3, 0), (4, 1), (5, 0))
    ]
    for row, place in enumerate(places):
        order, city, item, _ = grouped.explain(*place).cells
        shown = [grouped.values(f"e.{key}")[row] for key in ("order", "city", "item")]
        assert [order.value, city.value, item.value] == shown


def test_rows_above_are_looked_at_until_the_group_begins_for_certain(grouped, monkeypatch):
    looked = []
    former = grouped.source.batches
    monkeypatch.setattr(
        grouped.source, "batches", lambda first, last: looked.append(first) or former(first, last)
    )

    grouped.explain(5, 0)

    assert min(looked) == 1  # the order in 2 is another; in 0 may be a city, but not of this one


CELL = st.sampled_from([None, " ", "a", "b"])


@settings(
    max_examples=tries(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(lines=st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=9))
@example(lines=[(None, "b", None), ("a", None, None), ("b", None, "a"), (None, "b", None)])
def test_any_row_is_filled_alone_as_it_is_in_the_whole(tmp_path_factory, lines):
    key, city, item = map(list, zip(*lines, strict=True))
    made = Import(
        tmp_path_factory.mktemp("filled") / "i",
        {"key": key, "city": city, "item": item},
        fields=[{"key": "key"}, {"key": "city"}, {"key": "item"}],
        steps=[
            {"do": "fill_down", "columns": ["city"], "within": ["key"]},
            {"do": "fill_down", "columns": ["item"], "within": ["key", "city"]},
        ],
        batch_rows=1,
    )

    for row in range(len(lines)):
        alone = {cell.field: cell.value for cell in made.explain(row, 0).cells}
        assert alone == {path: made.values(path)[row] for path in alone}


def test_an_edited_cell_says_so(cooked):
    story = cooked.explain(0, 0, edits={"e.sum": "8,5"})

    assert (story.cells[2].value, story.cells[2].stems_from) == (8.5, "edit")


def test_an_edit_behind_a_recipe_replaces_the_text_the_recipe_made(cooked):
    rechecked = cooked.recheck({(5, "e.sum"): "1,5"})

    assert rechecked.values["e.sum"].to_pylist() == [1.5]
    assert rechecked.values["e.key"].to_pylist() == ["G1/z"]


def test_the_step_counts_rows_its_recipe_left_out(tmp_path):
    steps = [{"do": "drop_rows", "columns": ["id"], "where": "empty"}]

    result = Import(tmp_path / "a", CELLS, steps=steps).result

    assert (result.source_rows, result.skipped, result.rows) == (5, 1, 4)


def test_texts_without_an_option_are_counted_and_asked(tmp_path):
    options = [{"label": "Red", "type": "string", "value": "r"}]
    fields = [{"key": "c", "columnType": "category", "dropdownOptions": options}]

    result = Import(tmp_path / "a", {"c": ["red", "rdish", "rdish", "blue"]}, fields=fields).result

    assert result.unmatched == {"e.c": (TextCount("rdish", 2), TextCount("blue", 1))}
    question = result.questions[0]
    assert (question.kind, question.field, question.evidence) == (
        "category_value",
        "e.c",
        ("rdish", "2 rows"),
    )
    assert question.candidates[0].value == "r"

"""The transform job, from source.arrow to the files it leaves."""

from dataclasses import replace

import pyarrow as pa
import pytest

from tabular.job.transform import transform
from tabular.model.problem import LimitExceeded, Limits
from tabular.model.table import silent
from tabular.protocol.answers import Answers
from tabular.protocol.results import Counts
from tests.jobs import transforming_of

FIELDS = [
    {"key": "id", "validations": [{"validate": "unique"}, {"validate": "regex", "regex": "^K"}]},
    {"key": "amount", "columnType": "float"},
    {"key": "paid", "columnType": "date"},
    {"key": "mail", "columnType": "email", "required": True},
    {"key": "secret", "disabled": True},
]


def write_source(path, columns, batch_rows):
    names = list(columns)
    arrays = [pa.array(values, pa.string()) for values in columns.values()]
    rows = pa.array(range(1, len(arrays[0]) + 1), pa.int64())
    table = pa.table([rows, *arrays], names=["__row__", *names])
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table, max_chunksize=batch_rows)
    return path


@pytest.fixture
def job(tmp_path):
    def run(columns, *, fields=FIELDS, mapping=None, batch_rows=2, **extra):
        folder = tmp_path / f"job-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        request = transforming_of(
            write_source(folder / "source.arrow", columns, batch_rows),
            catalog={"key": "t", "entries": [{"id": "e", "fields": fields}]},
            mapping=mapping or {name: f"e.{name}" for name in columns},
            **extra,
        )
        return transform(request, folder, lambda *_: None), folder / "out"

    return run


def values(out, file):
    with pa.memory_map(str(out / file)) as source:
        return pa.ipc.open_file(source).read_all().to_pylist()


GOOD = {
    "id": ["K1", "K2", "K3"],
    "amount": ["1.234,50", "2,5", None],
    "paid": ["31.01.2024", "1.2.2024", ""],
    "mail": ["a@b.de", "B@C.DE", "c@d.de"],
}


def test_a_clean_file_becomes_one_typed_column_per_live_field(job):
    result, out = job(GOOD)

    assert [c.field for c in result.columns] == ["e.id", "e.amount", "e.paid", "e.mail"]
    assert [row["value"] for row in values(out, "column-001.arrow")] == [1234.5, 2.5, None]
    assert [str(row["value"]) for row in values(out, "column-002.arrow")] == [
        "2024-01-31",
        "2024-02-01",
        "None",
    ]
    assert result.counts == Counts(rows=3, valid=3, warning=0, error=0, by_code={})


def test_issues_are_sorted_by_row_and_raise_the_severity_of_their_row(job):
    bad = GOOD | {"id": ["K1", "x", "K1"], "mail": ["a@b.de", None, "nobody"]}

    result, out = job(bad)

    issues = [(i["row"], i["field"], i["code"]) for i in values(out, "issues.arrow")]
    assert issues == [
        (1, "e.id", "regex"),
        (1, "e.mail", "required"),
        (2, "e.id", "unique"),
        (2, "e.mail", "not_an_email"),
    ]
    assert [row["severity"] for row in values(out, "rows.arrow")] == [0, 2, 2]
    assert result.counts.by_code == {
        "not_an_email": 1,
        "required": 1,
        "regex": 1,
        "unique": 1,
    }


def test_the_size_of_batches_changes_nothing(job):
    columns = GOOD | {"id": ["K1", "K1", "K1"], "amount": ["1.000", "1.000,5", "zehn"]}

    streamed, streamed_out = job(columns, batch_rows=1)
    whole, whole_out = job(columns, batch_rows=3)

    assert streamed == whole
    for file in ("issues.arrow", "rows.arrow", "column-001.arrow", "hash-000.arrow"):
        assert values(streamed_out, file) == values(whole_out, file)


def test_an_ambiguous_date_order_is_asked(job):
    result, _ = job(GOOD | {"paid": ["03/04/2024", "05/06/2024", None]})

    question = result.questions[0]
    assert (question.kind, question.field, question.default) == (
        "date_order",
        "e.paid",
        "dmy",
    )


def test_an_answer_settles_the_date_order(job):
    columns = GOOD | {"paid": ["03/04/2024", "05/06/2024", None]}

    result, out = job(columns, answers=Answers(date_order={"e.paid": "mdy"}))

    assert result.questions == ()
    assert str(values(out, "column-002.arrow")[0]["value"]) == "2024-03-04"


def test_batches_that_are_read_at_once_change_nothing(job):
    days = [f"{day}.{month}.2024" for month in range(1, 13) for day in range(1, 29)]
    columns = {"paid": [day for day in days for _ in range(3)]}
    fields = [{"key": "paid", "columnType": "date"}]

    whole, out = job(columns, fields=fields, batch_rows=10_000)
    parts, out_of_parts = job(columns, fields=fields, batch_rows=2)

    assert parts.counts == whole.counts
    file = whole.columns[0].file
    assert values(out_of_parts, file) == values(out, file)


def test_numbered_columns_make_as_many_rows_as_a_file_may_have(tmp_path):
    source = write_source(tmp_path / "source.arrow", {"a": ["1", "2"], "b": ["3", None]}, 1)
    recipe = {"version": 1, "steps": [{"do": "unpivot_groups", "groups": {"it": ["a", "b"]}}]}
    catalog = {"key": "t", "entries": [{"id": "e", "fields": [{"key": "it"}]}]}
    request = transforming_of(source, catalog=catalog, mapping={"it": "e.it"}, recipe=recipe)

    made = transform(replace(request, limits=Limits(rows=3)), tmp_path, silent)

    assert made.rows == 3
    with pytest.raises(LimitExceeded) as refused:
        transform(replace(request, limits=Limits(rows=2)), tmp_path, silent)
    assert refused.value.as_dict() == {
        "code": "too_large",
        "detail": "The table has more than 2 rows. Split the file, or ask the operator.",
        "limit": "rows",
        "allowed": 2,
        "setting": "IMPORT_LIMIT_ROWS",
    }

"""The read job: limits count the columns of the file alone; what is too long is not read on."""

import json

import pytest

from tabular.job.read import read
from tabular.model.problem import LimitExceeded, Limits, UnreadableFile
from tabular.protocol.requests import ReadRequest
from tabular.reading.structured import reader
from tabular.reading.structured.flat_records import flatten


def request_for(path, columns):
    path.write_text(",".join(f"c{n}" for n in range(columns)) + "\n" + "1," * (columns - 1) + "1\n")
    return ReadRequest(input=str(path), limits=Limits(columns=40))


def silent(stage, done, total):
    """Report nothing."""


@pytest.mark.parametrize("columns", [39, 40])
def test_as_many_columns_as_are_allowed_are_read(tmp_path, columns):
    (tmp_path / "out").mkdir()

    result = read(request_for(tmp_path / "a.csv", columns), tmp_path, silent)

    assert len(result.columns) == columns


def test_one_column_more_than_allowed_is_refused(tmp_path):
    (tmp_path / "out").mkdir()

    with pytest.raises(LimitExceeded) as refused:
        read(request_for(tmp_path / "a.csv", 41), tmp_path, silent)

    assert refused.value.details["limit"] == "columns"


WIDE = "of a row that is long enough for a file that is streamed instead of read whole"
RECORDS = [{"id": number, "name": f"{WIDE} {number}"} for number in range(60_000)]


def as_csv(records):
    return "id,name\n" + "".join(f"{item['id']},{item['name']}\n" for item in records)


def as_lines(records):
    return "".join(f"{json.dumps(item)}\n" for item in records)


def as_array(records):
    return json.dumps(records).ljust(5 << 20)


@pytest.fixture
def read_until(tmp_path):
    """Return a function that reads a text up to so many rows; returns rows read and the result."""
    (tmp_path / "out").mkdir()

    def read_until(text, most_rows):
        (tmp_path / "file").write_text(text)
        done = [0]
        request = ReadRequest(input=str(tmp_path / "file"), most_rows=most_rows)
        result = read(request, tmp_path, lambda stage, rows, total: done.append(rows))
        return max(done), result

    return read_until


@pytest.mark.parametrize("written", [as_csv, as_lines, as_array])
def test_reading_ends_soon_after_the_most_rows_that_are_allowed(read_until, written):
    rows_read, result = read_until(written(RECORDS), 100)

    assert 100 < rows_read < len(RECORDS)
    assert (result.rows, result.table.row_count) == (None, None)
    assert result.columns == ("id", "name")


@pytest.mark.parametrize("written", [as_csv, as_lines, as_array])
@pytest.mark.parametrize(("most", "rows"), [(500, 500), (501, 500), (None, 500), (499, None)])
def test_as_many_rows_as_are_allowed_are_read_and_counted(read_until, written, most, rows):
    _, result = read_until(written(RECORDS[:500]), most)

    assert result.rows == rows


def test_an_array_that_is_damaged_beyond_the_most_rows_is_read_until_there(read_until):
    whole = json.dumps(RECORDS[:15_000])
    damaged = whole[: len(whole) // 2].ljust(5 << 20)

    assert read_until(damaged, 100)[1].rows is None
    with pytest.raises(UnreadableFile):
        read_until(damaged, None)


@pytest.mark.parametrize("written", [as_lines, as_array])
def test_records_beyond_the_most_that_are_allowed_are_never_parsed(
    read_until, monkeypatch, written
):
    parsed = []
    monkeypatch.setattr(reader, "flatten", lambda record: parsed.append(1) or flatten(record))

    read_until(written(RECORDS), 100)

    assert len(parsed) < len(RECORDS) / 2

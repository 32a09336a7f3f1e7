"""The read job: limits count the columns of the file, and nothing else."""

import pytest

from tabular.job.read import read
from tabular.model.problem import LimitExceeded, Limits
from tabular.protocol.requests import ReadRequest


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

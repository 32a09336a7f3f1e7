"""What a child leaves is not trusted: anything but a result of its job is a failed job."""

import json
import signal

import pytest

from sandbox import JobFailed
from sandbox.run import _outcome
from tabular.job import EXIT_PROBLEM
from tabular.model.problem import TabularProblem
from tabular.protocol.requests import ReadRequest, SuggestRequest

ASKED = SuggestRequest(input="source.arrow", title="T")
GOOD = {"title": "T", "key": "t", "catalog": {}, "columns": []}


def outcome(folder, document, *, status=0, name="result.json"):
    (folder / name).write_text(document if isinstance(document, str) else json.dumps(document))
    return _outcome(ASKED, status, folder)


def test_a_whole_result_is_given_back(tmp_path):
    assert outcome(tmp_path, GOOD).key == "t"


@pytest.mark.parametrize(
    "document",
    [
        "",
        "{",
        "[]",
        "null",
        GOOD | {"more": 1},
        GOOD | {"title": None},
        {name: GOOD[name] for name in ("title", "key", "catalog")},
        GOOD | {"columns": {}},
    ],
)
def test_a_damaged_result_is_a_failed_job_that_says_where(tmp_path, document):
    with pytest.raises(JobFailed, match=r"result.json is not a valid SuggestResult: "):
        outcome(tmp_path, document)


def test_a_result_that_is_not_there_is_a_failed_job(tmp_path):
    with pytest.raises(JobFailed, match=r"left no result.json"):
        _outcome(ASKED, 0, tmp_path)


def test_the_result_of_another_job_is_a_failed_job(tmp_path):
    (tmp_path / "result.json").write_text(json.dumps(GOOD))

    with pytest.raises(JobFailed, match="not a valid ReadResult"):
        _outcome(ReadRequest(input="a.csv"), 0, tmp_path)


@pytest.mark.parametrize(
    "document",
    ["", "{}", {"code": "x y", "sentence": "S", "details": {}}, {"code": "x", "sentence": "S"}],
)
def test_a_damaged_problem_is_a_failed_job(tmp_path, document):
    with pytest.raises(JobFailed, match="not a valid Problem"):
        outcome(tmp_path, document, status=EXIT_PROBLEM, name="problem.json")


def test_a_problem_may_name_its_details_as_it_likes(tmp_path):
    details = {"code": "other", "self": 1, "limit": "rows"}
    document = {"code": "too_large", "sentence": "It is.", "details": details}

    with pytest.raises(TabularProblem) as problem:
        outcome(tmp_path, document, status=EXIT_PROBLEM, name="problem.json")

    assert (problem.value.code, problem.value.details["limit"]) == ("too_large", "rows")


def test_a_crash_of_another_job_than_reading_is_ours(tmp_path):
    (tmp_path / "stderr.txt").write_text("")

    with pytest.raises(JobFailed, match="ended with status"):
        _outcome(ASKED, -signal.SIGSEGV, tmp_path)

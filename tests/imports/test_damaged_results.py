"""A step with an unusable result fails its import with a sentence, whatever the child left."""

import itertools
from datetime import timedelta

import pytest

from common import clock
from imports.models import ImportRecord
from sandbox.run import JobBroken, JobFailed, JobKilled, _outcome
from tests.imports.asked import V1, publish_fields
from workflow import worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def uploaded(owner, client):
    """Return the id of an import that waits to be read."""
    publish_fields(owner, "name")
    body = {"text": "Name\nAda\n", "catalogKey": "people"}
    return client.post(f"{V1}/imports", body, format="json").json()["recordId"]


def tries_until_failed(record_id):
    """Run the import until it fails; return how often it was tried."""
    for tries in itertools.count(1):
        ImportRecord.objects.filter(public_id=record_id).update(due_at=clock.now())
        worker.advance(record_id)
        if ImportRecord.objects.get(public_id=record_id).state == "failed":
            return tries
    return 0


def test_a_damaged_result_fails_the_import_with_its_problem(uploaded, client, monkeypatch):
    from sandbox import bench

    def damaged(folder, request, **others):
        (folder / "result.json").write_text('{"tables": "secret"}')
        return _outcome(request, 0, folder)

    monkeypatch.setattr(bench, "run_job", damaged)

    tries = tries_until_failed(uploaded)

    shown = client.get(f"{V1}/imports/{uploaded}").json()
    assert (shown["state"], shown["problem"]["code"]) == ("failed", "parser_crashed")
    assert shown["problem"]["detail"].startswith("The file cannot be read. Save it again")
    assert "secret" not in str(shown)
    assert tries == 2


@pytest.mark.parametrize(
    ("failures", "tries", "code"),
    [
        ([JobFailed("x", sign="status 1: E a.py:5")], 2, "parser_crashed"),
        ([JobFailed("lost")], 4, "internal_error"),  # the machine may be at fault
        ([JobKilled("out of memory")], 2, "parser_crashed"),  # the child alone, the worker lives
        ([JobKilled("x"), JobFailed("lost")], 4, "internal_error"),
        ([OSError(28, "No space left on device")], 4, "internal_error"),
        ([JobFailed("x", sign="a"), JobFailed("y", sign="b")], 4, "internal_error"),
        ([JobBroken("x", sign="status 7: ")], 1, "parser_crashed"),
        ([KeyError("ours")], 1, "internal_error"),
    ],
)
def test_the_same_failure_twice_is_not_tried_a_third_time(
    uploaded, client, monkeypatch, failures, tries, code
):
    from sandbox import bench

    coming = itertools.cycle(failures)

    def broken(*arguments, **others):
        raise next(coming)

    monkeypatch.setattr(bench, "run_job", broken)

    assert tries_until_failed(uploaded) == tries
    assert client.get(f"{V1}/imports/{uploaded}").json()["problem"]["code"] == code


def test_a_file_whose_reader_was_killed_twice_says_that_memory_may_be_short(
    uploaded, client, monkeypatch
):
    from sandbox import bench

    monkeypatch.setattr(bench, "run_job", _killed)
    tries_until_failed(uploaded)

    problem = client.get(f"{V1}/imports/{uploaded}").json()["problem"]
    assert problem["detail"].startswith("The reader was stopped twice, probably out of memory")


def test_a_later_step_that_was_killed_twice_is_refused_by_a_code_of_its_own(
    uploaded, client, monkeypatch
):
    from sandbox import bench

    worker.advance(uploaded)
    mapping = {"mapping": {"Name": "p.name"}}
    assert client.put(f"{V1}/imports/{uploaded}/mapping", mapping, format="json").status_code == 202
    monkeypatch.setattr(bench, "run_job", _killed)

    tries = tries_until_failed(uploaded)

    problem = client.get(f"{V1}/imports/{uploaded}").json()["problem"]
    assert (tries, problem["code"], problem["step"]) == (2, "job_killed", "transforming")


def test_a_worker_that_is_killed_between_costs_an_import_no_try(uploaded, client, monkeypatch):
    """The lease of a killed worker expires, and nothing is written: the child's end is unknown."""
    from sandbox import bench

    class WorkerKilled(BaseException):
        """What ends a worker runs none of its handlers."""

    def end_worker(*arguments, **others):
        raise WorkerKilled

    for _ in range(3):
        monkeypatch.setattr(bench, "run_job", end_worker)
        long_ago = clock.now() - timedelta(days=1)
        ImportRecord.objects.filter(public_id=uploaded).update(
            due_at=long_ago, claimed_until=long_ago
        )
        with pytest.raises(WorkerKilled):
            worker.advance(uploaded)
    monkeypatch.undo()
    ImportRecord.objects.filter(public_id=uploaded).update(claimed_until=None)
    worker.advance(uploaded)

    assert client.get(f"{V1}/imports/{uploaded}").json()["state"] == "mapping"


def _killed(*arguments, **others):
    raise JobKilled("the job ended with status -9: ")

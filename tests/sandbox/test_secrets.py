"""A secret reaches the job through a pipe, and no file."""

import pytest

from sandbox import POLICY, run_job
from tabular.model.table import silent
from tabular.protocol.files import UNLOCKED, UnlockRequest
from tests.tabular.reading.test_unlocking import PASSWORD, workbook


@pytest.mark.parametrize("forking", [True, False], ids=["forked", "started"])
def test_a_password_reaches_the_job_and_no_file(tmp_path, monkeypatch, forking):
    monkeypatch.setattr(POLICY, "is_forking", forking)
    protected, folder = tmp_path / "protected", tmp_path / "job"
    protected.write_bytes(workbook())
    folder.mkdir()
    request = UnlockRequest(input=str(protected))

    result = run_job(folder, request, progress=silent, cancelled=lambda: False, secret=PASSWORD)

    unlocked = folder / "out" / UNLOCKED
    assert unlocked.stat().st_size == result.bytes
    assert unlocked.read_bytes().startswith(b"PK")
    files = [file.read_bytes() for file in folder.rglob("*") if file.is_file()]
    assert len(files) > 2
    assert not any(PASSWORD.encode() in content for content in files)

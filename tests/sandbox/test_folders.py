"""What a child leaves in its folder is deleted and reported, however it is nested."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from sandbox import JobFailed, folders

DEEP = 3_000
NEST = f"""
import os
for _ in range({DEEP}):
    os.mkdir('d')
    os.chdir('d')
open('file', 'w').close()
"""


@pytest.fixture
def tmp_path():
    """Yield a folder that is deleted however deep it is; pytest's own would stay."""
    folder = Path(tempfile.mkdtemp(prefix="folders-"))
    yield folder
    subprocess.run(["rm", "-rf", folder], check=True)


def nested(folder, depth):
    """Nest folders; each is created from the one above, because no path may be that long."""
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(folder)
        for _ in range(depth):
            os.mkdir("d")
            os.chdir("d")
        open("file", "w").close()
    finally:
        os.fchdir(here)
        os.close(here)


def test_a_deep_folder_is_removed(tmp_path):
    folder = tmp_path / "job"
    folder.mkdir()
    nested(folder, DEEP)

    folders.remove(folder)

    assert not folder.exists()


def test_a_folder_that_is_closed_to_us_is_removed(tmp_path):
    inner = tmp_path / "job" / "a" / "b"
    inner.mkdir(parents=True)
    inner.chmod(0)
    inner.parent.chmod(0)

    folders.remove(tmp_path / "job")

    assert not (tmp_path / "job").exists()


def test_a_deep_folder_is_strange_and_one_of_a_job_is_not(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "source.arrow").write_bytes(bytes(10))
    folders.refuse_strange(tmp_path)
    assert folders.size(tmp_path) == 10
    nested(tmp_path / "out", DEEP)

    with pytest.raises(folders.StrangeFolder, match="nested deeper than"):
        folders.refuse_strange(tmp_path)
    with pytest.raises(folders.StrangeFolder):
        folders.size(tmp_path)


def test_a_link_is_removed_and_what_it_names_is_kept(tmp_path):
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").write_text("x")
    job = tmp_path / "job"
    job.mkdir()
    (job / "link").symlink_to(tmp_path / "kept")

    folders.remove(job)

    assert not job.exists()
    assert (tmp_path / "kept" / "file").read_text() == "x"


def test_nested_folders_of_a_parser_that_was_taken_over_are_a_failed_job(
    take_over, serve, job_slot
):
    serve()

    with pytest.raises(JobFailed, match="nested deeper than") as failed:
        take_over(NEST)

    assert failed.value.sign == "strange folder"
    assert not list((job_slot / "job").glob("*/"))

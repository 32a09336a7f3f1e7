"""A page of rows whose files are in a bucket: it is right, and fetches only what it shows."""

import numpy as np
import pytest

from common import storage
from common.storage import homes
from staging.columns import StagedFiles, StagedTable
from staging.pages import fitting_rows, shown
from staging.views import View, resolve
from tests.buckets import in_bucket, running_store

pytestmark = pytest.mark.django_db
COUNT = 40
COLUMNS = {
    "id": [f"K{number}" for number in range(COUNT)],
    "amount": ["x" if number % 7 == 0 else str(number) for number in range(COUNT)],
    "note": ["" if number % 5 == 0 else f"n{number}" * (number % 3 + 1) for number in range(COUNT)],
}


@pytest.fixture(scope="module")
def seaweed(tmp_path_factory):
    """Yield a running store."""
    with running_store(tmp_path_factory.mktemp("seaweed")) as store:
        yield store


@pytest.fixture
def elsewhere(staged, seaweed, settings, monkeypatch, tmp_path):
    """Stage a table in batches of two rows; return a function that opens it on a new machine."""
    monkeypatch.setattr("common.storage.in_parts.LEAST_BYTES", 0)
    monkeypatch.setattr("tabular.transforming.source._ROWS", 2)
    settings.DATA_DIR = tmp_path / "first"
    in_bucket(seaweed, settings, monkeypatch)
    table = staged(COLUMNS)

    def opened(name: str) -> StagedTable:
        settings.DATA_DIR = tmp_path / name
        homes.bucket.cache_clear()
        return StagedTable(table.revision, StagedFiles(table.files.manifest))

    return table, opened


def page(table: StagedTable, rows: list[int]) -> list[dict]:
    wanted = np.array(rows, np.int64)
    return shown(table, fitting_rows(table, wanted))


def here() -> set[str]:
    """Return the names of the files that this machine has whole."""
    files = (path for path in storage.root().glob("*/*/*") if not path.name.startswith("."))
    return {path.name.rstrip("0123456789-.arow") for path in files}


@pytest.mark.parametrize(
    "rows", [[0, 1, 2], [39], [13, 14], [30, 2, 31], [5, 5], list(range(COUNT))[::-1]]
)
def test_a_page_is_the_same_as_of_files_that_are_here(elsewhere, rows):
    table, opened = elsewhere

    assert page(opened("second"), rows) == page(table, rows)


def test_a_page_leaves_every_file_in_the_bucket(elsewhere):
    _, opened = elsewhere
    other = opened("second")
    page(other, resolve(other, View())[10:14].tolist())

    assert here() == set()


def test_many_pages_fetch_the_files(elsewhere):
    table, opened = elsewhere
    other = opened("second")
    for first in range(0, COUNT, 4):
        assert page(other, [first, first + 1]) == page(table, [first, first + 1])

    assert {"column", "source"} <= here()


def test_a_sorted_view_is_the_same(elsewhere):
    table, opened = elsewhere
    view = View(sort="e.note", descending=True)

    assert resolve(opened("second"), view).tolist() == resolve(table, view).tolist()


def test_rows_that_no_file_has_are_an_empty_page(elsewhere):
    _, opened = elsewhere

    assert page(opened("second"), []) == []

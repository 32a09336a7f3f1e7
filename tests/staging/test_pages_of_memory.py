"""Streaming all rows does not keep the files in memory."""

import re
from pathlib import Path

import pytest

from staging.columns import path_of
from staging.exports.delivered_rows import Delivered

pytestmark = pytest.mark.django_db
SMAPS = Path("/proc/self/smaps")


def resident_kb(path: Path) -> int:
    """Return how much of a mapped file is in this process's memory."""
    blocks = re.split(r"^(?=[0-9a-f]+-[0-9a-f]+ )", SMAPS.read_text(), flags=re.MULTILINE)
    mine = [block for block in blocks if block.partition("\n")[0].endswith(str(path))]
    return sum(int(re.search(r"^Rss:\s+(\d+)", block, re.MULTILINE)[1]) for block in mine)


@pytest.mark.skipif(not SMAPS.exists(), reason="only Linux says what is resident")
def test_streamed_rows_leave_no_pages_of_their_columns_behind(staged):
    columns = {"mail": ["a@b.de"] * 50_000, "note": [f"n{number}" for number in range(50_000)]}
    table = staged(columns, batch_rows=10_000)
    file = path_of(table.files.by_field["e.note"].file)
    table.values("e.note").to_pylist()
    before = resident_kb(file)

    rows = Delivered(table, includes_invalid=False)
    streamed = sum(batch.num_rows for batch in rows.batches())

    assert before > 0
    assert resident_kb(file) == 0
    assert streamed == 50_000
    assert table.values("e.note").to_pylist()[-1] == "n49999"  # mapped again

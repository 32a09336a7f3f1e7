from collections.abc import Callable
from typing import Any

import pytest

from tabular.model.places import ReadingChoices
from tabular.model.problem import Limits
from tabular.model.table import Reading
from tabular.reading.pdf import read_pdf

from .papers import Sheet, document, saved


@pytest.fixture
def read(tmp_path) -> Callable[..., Reading]:
    """Return a function that reads sheets, or a PDF's bytes, with named choices and limits."""

    def reading(*paper: Sheet | bytes, limits: Limits | None = None, **chosen: Any) -> Reading:
        content = paper[0] if isinstance(paper[0], bytes) else document(*paper)
        return read_pdf(
            saved(tmp_path, content),
            choices=ReadingChoices(**chosen),
            limits=limits or Limits(),
            progress=lambda *_: None,
        )

    return reading


@pytest.fixture
def rows_of() -> Callable[[Reading], list[list[str | None]]]:
    """Return the rows of the best table as text, null as None."""

    def rows(reading: Reading, table: int = 0) -> list[list[str | None]]:
        return [
            [text for name, text in row.items() if not name.startswith("__")]
            for batch in reading.bodies[table].batches()
            for row in batch.to_pylist()
        ]

    return rows

"""The registry of question kinds is complete, and each kind has one place."""

from pathlib import Path
from typing import get_args

from pipeline.kinds import COLUMN_KINDS, FILE_KINDS, KINDS, VALUE_KINDS
from tabular.model.issue import QuestionKind

SOURCES = Path(__file__).resolve().parents[2] / "pipeline"


def test_every_kind_that_a_job_asks_is_registered():
    assert set(KINDS) == set(get_args(QuestionKind))


def test_every_kind_that_changes_rows_says_how():
    assert set(KINDS) - {"recognised_text", "drift"} == FILE_KINDS | COLUMN_KINDS | VALUE_KINDS
    assert not FILE_KINDS & COLUMN_KINDS
    assert not (FILE_KINDS | COLUMN_KINDS) & VALUE_KINDS


def test_a_kind_is_described_in_a_module_of_its_name():
    described = {path.stem for path in (SOURCES / "kinds").glob("*.py")}

    # columns: see column; groups: see unpivot
    assert set(KINDS) - {"columns", "groups"} == described - {"__init__"}

"""Steps of a recipe make no cell endless."""

import pyarrow as pa
import pytest

from tabular.model import recipe as nouns
from tabular.model.problem import UnusableRequest
from tabular.transforming.lengths import MOST_CHARACTERS, CellTooLong, after_replacing, changed
from tabular.transforming.step_rows import StepRows
from tabular.transforming.steps import worker


def step_rows(**columns) -> StepRows:
    count = len(next(iter(columns.values())))
    numbers = pa.array(range(count), pa.int64())
    texts = {name: pa.array(values, pa.string()) for name, values in columns.items()}
    return StepRows(numbers, pa.array([0] * count, pa.int32()), texts)


def replace(find: str, by: str) -> nouns.Step:
    return nouns.Replace(do="replace", columns=("a",), find=find, by=by)


def regex(pattern: str, by: str) -> nouns.Step:
    return nouns.RegexReplace(do="regex_replace", columns=("a",), pattern=pattern, by=by)


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(replace("x", "y" * 1000), id="replace"),
        pytest.param(regex("x", "y" * 1000), id="pattern"),
        pytest.param(regex("(x+)", r"\1" * 400), id="groups"),
        pytest.param(regex("q*", "y" * 1000), id="empty matches"),
        pytest.param(
            nouns.Join(do="join", columns=("a", "a", "a"), separator="x" * 1000, into="b"),
            id="join",
        ),
    ],
)
def test_a_step_that_makes_a_cell_too_long_is_refused(step):
    longest = "x" * 16_000 if isinstance(step, nouns.Join) else "x" * 100

    with pytest.raises(UnusableRequest) as refused:
        worker(step)(step_rows(a=["short", None, longest]))

    assert refused.value.code == "cell_too_long"


@pytest.mark.parametrize(
    ("step", "before", "after"),
    [
        (replace("x", "yz"), "x" * 16_000, "yz" * 16_000),
        (regex("(x)", r"\1\1"), "x" * 16_000, "x" * 32_000),
        (replace("xy", "x"), "xy" * 40_000, "x" * 40_000),  # longer than a cell, and shrinks
        (replace("q", "r" * 1000), "x" * 40_000, "x" * 40_000),  # nothing is found
    ],
)
def test_a_step_within_a_cell_is_carried_out(step, before, after):
    assert worker(step)(step_rows(a=[before])).columns["a"].to_pylist() == [after]


def test_the_place_of_the_first_text_that_is_too_long_is_told():
    texts = pa.array(["a", "b" * 10, None])
    counts = pa.array([1, 10, None])
    most = after_replacing(texts, counts, by=MOST_CHARACTERS)

    with pytest.raises(CellTooLong) as refused:
        changed(
            texts,
            lambda some: pa.array([(t or "") * MOST_CHARACTERS for t in some.to_pylist()]),
            most=most,
        )

    assert refused.value.place == 1

"""Ten conditions over a million rows, in memory, as one step and as ten."""

from collections.abc import Sequence
from random import Random
from statistics import median
from time import process_time
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from tabular.model.recipe import Recipe
from tabular.transforming.step_rows import StepRows
from tabular.transforming.steps import worker

ROWS = 1_000_000
BATCH_ROWS = 65_536
ALLOWED_S = 1.0
CONDITIONS: tuple[dict[str, Any], ...] = (
    {"kg": {"lt": 5}},
    {"country": "DE", "kg": {"lt": 20}},
    {"sku": {"regex": "^A00"}},
    {"any": {"country": "FR", "kg": {"gt": 95}}},
    {"not": {"country": "US"}, "kg": {"lt": 30}},
    {"sku": "A12345"},
    {"country": "AT"},
    {"kg": {"gte": 50, "lt": 60}},
    {"country": {"ne": "CH"}, "sku": {"filled": True}},
    {"kg": {"eq": 61.5}},
)


def print_conditions(rounds: int) -> None:
    """Print the CPU seconds of both ways to write the same."""
    cases = [{"if": c, "then": {"value": str(i)}} for i, c in enumerate(CONDITIONS)]
    common = {"do": "when", "format": "us"}
    whole = [{**common, "cases": cases, "into": "c9"}]
    chain = [
        {**common, "cases": [case], "into": f"c{i}", "otherwise": _before(i)}
        for i, case in enumerate(cases)
    ]
    batches = _batches()
    for name, steps in (("one step", whole), ("ten steps", chain)):
        seconds = median(_seconds(steps, batches) for _ in range(rounds))
        print(f"  ten conditions as {name}: CPU {seconds:.2f} s (allowed {ALLOWED_S})")


def _before(number: int) -> dict[str, str]:
    return {"column": f"c{number - 1}"} if number else {"value": "none"}


def _batches() -> list[StepRows]:
    random = Random(1)
    columns = {
        "country": pa.array(random.choices(["DE", "FR", "US", "AT", "CH"], k=ROWS)),
        "kg": pa.array([f"{random.random() * 100:.3f}" for _ in range(ROWS)]),
        "sku": pa.array([f"A{random.randrange(100_000):05d}" for _ in range(ROWS)]),
    }
    batches = pa.table(columns).to_batches(max_chunksize=BATCH_ROWS)
    return [_start(batch) for batch in batches]


def _start(batch: pa.RecordBatch) -> StepRows:
    rows = pa.array(np.arange(batch.num_rows, dtype=np.int64))
    ordinals = pa.array(np.zeros(batch.num_rows, np.int32))
    return StepRows(rows, ordinals, dict(zip(batch.schema.names, batch.columns, strict=True)))


def _seconds(steps: Sequence[dict[str, Any]], batches: Sequence[StepRows]) -> float:
    document = orjson.dumps({"version": 1, "steps": steps})
    workers = [worker(step) for step in Recipe.model_validate_json(document).steps]
    start = process_time()
    for batch in batches:
        step_rows = StepRows(batch.sources, batch.ordinals, batch.columns)
        for work in workers:
            step_rows = work(step_rows)
    return process_time() - start

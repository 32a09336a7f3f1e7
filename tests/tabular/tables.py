"""Small tables for the tests of transforming and validating."""

from datetime import date

import orjson
import pyarrow as pa

from tabular.job.transform import transform as run_job
from tabular.model.catalog import Catalog, Context
from tabular.protocol.plan import TransformPlan
from tabular.transforming.inference import infer
from tabular.transforming.reading_rows import transform
from tabular.validating import check_rows, row_rules
from tests.jobs import transforming_of

TODAY = date(2026, 1, 2)


def batch(columns):
    arrays = [pa.array(values, pa.string()) for values in columns.values()]
    rows = pa.array(range(len(arrays[0])), pa.int64())
    return pa.RecordBatch.from_arrays([rows, *arrays], names=["__row__", *columns])


def plan_for(fields, columns, **extra):
    given = {"today": TODAY, **extra.pop("context", {})}
    context = Context.model_validate_json(orjson.dumps(given))
    return TransformPlan(
        catalog=Catalog.model_validate_json(catalog_json(fields)),
        mapping=extra.pop("mapping", {name: f"e.{name}" for name in columns}),
        context=context,
        **extra,
    )


def catalog_json(fields):
    return orjson.dumps({"key": "t", "entries": [{"id": "e", "fields": fields}]})


def typed(fields, columns, **extra):
    """Transform and check one batch."""
    plan = plan_for(fields, columns, **extra)
    source = [batch(columns)]
    rules = row_rules(plan.target, paths=plan.used_fields)
    (rows,) = transform(source, plan=plan, inferred=infer(source, plan=plan))
    rows.findings.extend(check_rows(rows, rules))
    return rows


def findings_in(fields, columns, **extra):
    """Return (row, field key, code), sorted."""
    return sorted(
        (row, finding.field.removeprefix("e."), finding.code)
        for finding in typed(fields, columns, **extra).findings
        for row in finding.rows.tolist()
    )


def staged(folder, fields, columns):
    """Run the whole step; return (row, field key, code) as in the issue file."""
    path = folder / "source.arrow"
    whole = batch(columns)
    with pa.ipc.new_file(str(path), whole.schema) as writer:
        writer.write_batch(whole)
    request = transforming_of(
        path,
        catalog=orjson.loads(catalog_json(fields)),
        mapping={name: f"e.{name}" for name in columns},
        context={"today": TODAY.isoformat()},
    )
    run_job(request, folder, lambda *_: None)
    with pa.memory_map(str(folder / "out" / "issues.arrow")) as file:
        rows = pa.ipc.open_file(file).read_all().to_pylist()
    return [(issue["row"], issue["field"].removeprefix("e."), issue["code"]) for issue in rows]

"""The jobs of an import in the process of the test: the same files, no child."""

import orjson

from sandbox import JobCancelled
from tabular.job import carry_out
from tabular.model.catalog import Catalog, Context
from tabular.model.problem import TabularProblem
from tabular.model.recipe import Recipe
from tabular.protocol import forms
from tabular.protocol.jobs import Problem
from tabular.protocol.plan import TransformPlan
from tabular.protocol.requests import RESULT_OF, ReadRequest, TransformRequest
from tabular.protocol.results import FileRead, FoundTable


def run_job_here(folder, request, *, progress, cancelled):
    """Return a stand-in for ``sandbox.run_job``, without the limits that a child's watchdog has."""

    def report(stage, done, total):
        progress(stage, done, total)
        if cancelled():
            raise JobCancelled

    (folder / "request.json").write_bytes(forms.written(request))
    try:
        carry_out(folder, report)
    except TabularProblem as problem:
        written = forms.written(Problem.of(problem))
        raise forms.read(Problem, written).as_error() from None
    return forms.read(RESULT_OF[request.job], (folder / "result.json").read_bytes())


def catalog_of(document):
    """Parse a catalog as people write it."""
    return Catalog.model_validate_json(orjson.dumps(document))


def plan_written(*, catalog, mapping, context=None, recipe=None, **members):
    """Return a plan from JSON as people write it; today is 2 January 2026."""
    given = {"today": "2026-01-02"} | (context or {})
    return TransformPlan(
        catalog=catalog_of(catalog),
        mapping=mapping,
        context=Context.model_validate_json(orjson.dumps(given)),
        recipe=recipe and Recipe.model_validate_json(orjson.dumps(recipe)),
        **members,
    )


def reading_of(path, *, catalog=None, **members):
    """Return a request to read a file."""
    return ReadRequest(input=str(path), catalog=catalog and catalog_of(catalog), **members)


def transforming_of(source, **plan):
    """Return a request to make the rows of a text."""
    return TransformRequest(input=str(source), plan=plan_written(**plan))


def file_read(*, columns):
    """Return the result of reading as an import stores it, for a file with one table."""
    table = FoundTable(columns=tuple(columns))
    return forms.as_json(
        FileRead(
            format="csv",
            tables=(table,),
            chosen=0,
            entries={},
            columns=table.columns,
            rows=1,
            left_out={},
            fingerprint="f",
            issues=(),
            questions=(),
            related=(),
        )
    )

"""The steps of an import in the process of the test: the same files, no child."""

import json

from sandbox import StepCancelled
from tabular.model.problem import TabularProblem
from tabular.step import carry_out


def run_step_here(folder, request, *, limits, progress, cancelled):
    """Stand in for ``sandbox.run_step``; a limit that a child's watch would see is not seen."""

    def report(stage, done, total):
        progress(stage, done, total)
        if cancelled():
            raise StepCancelled

    (folder / "request.json").write_text(json.dumps(request), "utf-8")
    try:
        carry_out(folder, report)
    except TabularProblem as problem:
        document = json.loads(json.dumps(problem.as_dict()))
        raise TabularProblem(document.pop("code"), document.pop("detail"), **document) from None
    return json.loads((folder / "result.json").read_bytes())

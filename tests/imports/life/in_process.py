"""The step of a child process, run in this one: many small imports in a second."""

import json


def run_step(folder, request, *, limits, progress, cancelled):
    """Run one step as the child does, request and result through JSON as between processes."""
    from tabular.step.read import read
    from tabular.step.transform import transform

    (folder / "out").mkdir(exist_ok=True)
    step = {"read": read, "transform": transform}[request["step"]]
    return json.loads(json.dumps(step(json.loads(json.dumps(request)), folder, progress)))

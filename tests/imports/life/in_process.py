"""The step of a child process, run in this one: many small imports in a second."""

from tabular.protocol import forms
from tabular.protocol.requests import RESULT_OF


def run_step(folder, request, *, progress, cancelled):
    """Run one step as the child does, request and result through JSON as between processes."""
    from tabular.step.read import read
    from tabular.step.transform import transform

    (folder / "out").mkdir(exist_ok=True)
    step = {"read": read, "transform": transform}[request.step]
    asked = forms.read(type(request), forms.written(request))
    return forms.read(RESULT_OF[request.step], forms.written(step(asked, folder, progress)))

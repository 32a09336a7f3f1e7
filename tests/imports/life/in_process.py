"""The job of a child process, run in this one: many small imports in a second."""

from tabular.protocol import forms
from tabular.protocol.requests import RESULT_OF


def run_job(folder, request, *, progress, cancelled):
    """Run one job as the child does, with request and result through JSON."""
    from tabular.job.read import read
    from tabular.job.transform import transform

    (folder / "out").mkdir(exist_ok=True)
    job = {"read": read, "transform": transform}[request.job]
    read_back = forms.read(type(request), forms.written(request))
    return forms.read(RESULT_OF[request.job], forms.written(job(read_back, folder, progress)))

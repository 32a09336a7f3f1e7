"""``python -m tabular job DIR``: one job, in the calling process."""

from pathlib import Path

from tabular import job


def run(arguments: list[str]) -> int:
    """Run the job that ``DIR/request.json`` asks for."""
    return job.run(Path(arguments[0]))

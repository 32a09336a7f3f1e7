"""``python -m tabular step DIR``: one step, in the process that calls it."""

from pathlib import Path

from tabular import step


def run(arguments: list[str]) -> int:
    """Run the step that ``DIR/request.json`` asks for."""
    return step.run(Path(arguments[0]))

"""The steps a worker runs, one module per working state.

``STEPS`` says which states have work. An app above contributes the step of a state that it decides
(changesets: ``applying``), or of a purpose (contracts: ``check``), when it is ready, so that
imports never looks up.
"""

from collections.abc import Callable

from imports.models import ImportRecord
from imports.progress import Reporter
from imports.steps.reading import read
from imports.steps.transforming import transform

Step = Callable[[ImportRecord, Reporter], None]

STEPS_OF_PURPOSE: dict[tuple[str, str], Step] = {}  # by purpose and state, before those of STEPS
STEPS: dict[str, Step] = {
    ImportRecord.State.READING: read,
    ImportRecord.State.TRANSFORMING: transform,
}

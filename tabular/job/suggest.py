"""The suggest job: takes source.arrow, returns a draft catalog."""

from pathlib import Path

from tabular.model.table import Progress
from tabular.protocol.requests import SuggestRequest
from tabular.protocol.results import SuggestResult
from tabular.protocol.tables import whole
from tabular.suggesting import draft_of, looked_at


def suggest(request: SuggestRequest, folder: Path, progress: Progress) -> SuggestResult:
    """Suggest a catalog for the content of ``source.arrow``."""
    table = whole(Path(request.input))
    progress("suggesting", 0, table.num_rows)
    return SuggestResult(**draft_of(looked_at(table), title=request.title))

"""The suggest job: source.arrow in, a draft of a catalog out."""

from pathlib import Path

from tabular.model.table import Progress
from tabular.protocol.requests import SuggestRequest
from tabular.protocol.results import SuggestResult
from tabular.protocol.tables import whole
from tabular.suggesting import draft_of, looked_at


def suggest(request: SuggestRequest, folder: Path, progress: Progress) -> SuggestResult:
    """Suggest a catalog for what ``source.arrow`` holds."""
    table = whole(Path(request.input))
    progress("suggesting", 0, table.num_rows)
    return SuggestResult(**draft_of(looked_at(table), title=request.title))

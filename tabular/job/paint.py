"""Paint a page of a file, or a part of it, for a person who compares it with the rows."""

from base64 import b64encode
from pathlib import Path

from tabular.model.table import Progress
from tabular.protocol.files import PaintRequest, PaintResult
from tabular.reading.pdf.painting import painted_clip, painted_page


def paint(request: PaintRequest, folder: Path, progress: Progress) -> PaintResult:
    """Paint one page upright, as it was read."""
    path = Path(request.input)
    if request.box is None:
        painted = painted_page(path, request.page, turn=request.turn, limits=request.limits)
    else:
        painted = painted_clip(
            path, request.page, request.box, turn=request.turn, limits=request.limits
        )
    return PaintResult(
        image=b64encode(painted.png).decode("ascii"),
        width=painted.width,
        height=painted.height,
        pages=painted.pages,
    )

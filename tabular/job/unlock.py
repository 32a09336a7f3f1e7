"""Write a protected file without its password, which is in no file."""

from pathlib import Path

from tabular.model.table import Progress
from tabular.protocol.files import UNLOCKED, UnlockRequest, UnlockResult
from tabular.reading.unlocking import unlock as write_plain


def unlock(request: UnlockRequest, folder: Path, progress: Progress, password: str) -> UnlockResult:
    """Write ``out/unlocked``."""
    progress("unpacking", 0, None)
    target = folder / "out" / UNLOCKED
    write_plain(Path(request.input), target, password=password, limits=request.limits)
    return UnlockResult(bytes=target.stat().st_size)

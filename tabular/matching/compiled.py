"""What was worked out of the vocabulary files, kept for the next process as bytecode is.

It stands beside the bytecode of this package and is trusted as far as that is. What was compiled
of other files, or by other code, is made anew.
"""

import hashlib
import marshal
import os
from collections.abc import Mapping
from importlib.util import cache_from_source
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

CODE = ("compiled.py", "headers.py", "lexicon.py")  # that say what comes of the files


def load(sources: Mapping[str, str]) -> dict[str, Any] | None:
    """Give what was kept of the same sources, made by the same code."""
    digest = _digest(sources)
    try:
        whole = _place().read_bytes()
    except OSError:
        return None
    if not whole.startswith(digest):
        return None
    try:
        # As Python itself loads the bytecode that stands beside it
        kept: dict[str, Any] = marshal.loads(whole[len(digest) :])  # noqa: S302
    except (EOFError, ValueError, TypeError):  # cut short: a disk that was full
        return None
    return kept


def keep(sources: Mapping[str, str], made: dict[str, Any]) -> None:
    """Keep plain values that were made of the sources; OSError where nothing may be written."""
    place = _place()
    place.parent.mkdir(exist_ok=True)
    with NamedTemporaryFile(dir=place.parent, delete=False) as written:
        written.write(_digest(sources) + marshal.dumps(made))
    os.chmod(written.name, 0o644)
    os.replace(written.name, place)


def _place() -> Path:
    return Path(cache_from_source(str(Path(__file__).with_name("vocabulary.py")))).with_suffix("")


def _digest(sources: Mapping[str, str]) -> bytes:
    found = hashlib.sha256()
    for name in CODE:
        found.update(Path(__file__).with_name(name).read_bytes())
    for name, text in sorted(sources.items()):
        found.update(f"{name}\0{text}\0".encode())
    return found.digest()

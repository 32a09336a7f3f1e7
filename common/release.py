"""Which code this is. Standard library alone: the build of the elements asks it, too."""

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

BUILT_FROM = ("package.json", "package-lock.json", "vite.config.js", "tsconfig.types.json")


@dataclass(frozen=True, slots=True)
class Release:
    """A version of the engine, and the sources of the elements that belong to it."""

    engine: str
    sources: str  # empty where the elements came without their sources


@cache
def release_in(root: Path) -> Release:
    """Return the release in a folder, as it was when this process first asked."""
    about = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    return Release(engine=str(about["project"]["version"]), sources=_sources(root / "frontend"))


def _sources(frontend: Path) -> str:
    """Return one hash of every file that the build of the elements reads."""
    if not (frontend / "src").is_dir():
        return ""
    files = [*(frontend / "src").rglob("*.ts"), *(frontend / name for name in BUILT_FROM)]
    whole = hashlib.sha256()
    for path in sorted(files):
        name = path.relative_to(frontend).as_posix()
        whole.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return f"sha256-{whole.hexdigest()}"

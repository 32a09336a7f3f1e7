"""The version of this code. Standard library only: the build of the elements uses it, too."""

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
    sources: str  # empty if the elements came without their sources


@cache
def release_in(root: Path) -> Release:
    """Return the release in a folder, cached from this process's first call."""
    about = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    return Release(engine=str(about["project"]["version"]), sources=_sources(root / "frontend"))


def _sources(frontend: Path) -> str:
    """Return one hash of all files that the build of the elements reads."""
    if not (frontend / "src").is_dir():
        return ""
    files = [*(frontend / "src").rglob("*.ts"), *(frontend / name for name in BUILT_FROM)]
    whole = hashlib.sha256()
    for path in sorted(files):
        name = path.relative_to(frontend).as_posix()
        whole.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return f"sha256-{whole.hexdigest()}"

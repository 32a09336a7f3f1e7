"""A measured figure next to its target, and a file that keeps figures as they are measured."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

RATIO = "times"  # the unit of a ratio


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value. is_least: the target is the least that is wanted, not the most."""

    name: str
    value: float
    unit: str
    target: float | None = None
    is_least: bool = False

    @property
    def is_reached(self) -> bool:
        """Return whether the value reaches its target; without one, it does."""
        if self.target is None:
            return True
        return self.value >= self.target if self.is_least else self.value <= self.target

    @property
    def measured(self) -> str:
        """Return the value with its unit."""
        return f"{number(self.value)} {self.unit}"

    @property
    def wanted(self) -> str:
        """Return the target with its unit; empty without one."""
        if self.target is None:
            return ""
        return f"at {'least' if self.is_least else 'most'} {number(self.target)} {self.unit}"

    def show(self) -> None:
        """Print a line."""
        verdict = "" if self.target is None else "ok" if self.is_reached else "MISSED"
        print(f"   {self.name:48} {self.measured:>16}  {self.wanted:24} {verdict}", flush=True)


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was not measured here, and why."""

    name: str
    reason: str

    def show(self) -> None:
        """Print a line."""
        print(f"   {self.name:48} not measured: {self.reason}", flush=True)


Measured = Figure | Skipped


@dataclass(frozen=True, slots=True)
class Result:
    """What a section measured, and why it ended early; empty if it did not."""

    title: str
    text: str
    items: tuple[Measured, ...]
    failure: str = ""


def number(value: float) -> str:
    """
    Return a value with about three digits.

    >>> number(0.0423), number(1.304), number(14.26), number(2104.6)
    ('0.042', '1.30', '14.3', '2,105')
    """
    digits = 3 if abs(value) < 0.1 else 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:,.{digits}f}"


def keep(item: Measured, file: Path) -> None:
    """Add a line to a file; what was measured before a failure is not lost."""
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps({"kind": type(item).__name__, **asdict(item)}) + "\n")


def kept(file: Path) -> Iterator[Measured]:
    """Yield what a file has."""
    if not file.exists():
        return
    for line in file.read_text("utf-8").splitlines():
        members = json.loads(line)
        kind = {"Figure": Figure, "Skipped": Skipped}[members.pop("kind")]
        yield kind(**members)

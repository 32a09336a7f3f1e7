"""
Which modules a run by a mark needs.

Importing all tests takes half a minute of a processor; a run of ``-m web`` alone needs few of them.
"""

from pathlib import Path

FEW = {"processes", "counterparty", "receivers", "web", "packages", "browsers"}


def needs(module: Path, expression: str) -> bool:
    """Return whether an expression of marks may choose a test of a module."""
    if " or " in expression or "(" in expression:  # a mark in it may be one of several
        return True
    required = set(expression.split(" and ")) & FEW
    return all(f"mark.{name}" in module.read_text("utf-8") for name in required)

"""Six programs that print: each takes documents and writes one PDF for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.printed.papers import Look, Maker, Paper, Script


class MissingProgram(Exception):
    """A program that prints is not installed; the message says how to install it."""


@dataclass(frozen=True, slots=True)
class Order:
    """One document to print: its look, and the path of its PDF."""

    paper: Paper
    look: Look
    path: Path


Print = Callable[[Sequence[Order]], None]
SCRIPTS: dict[Maker, tuple[Script, ...]] = {  # scripts that a program's fonts and layout support
    "calc": ("latin", "arabic", "hebrew", "chinese"),
    "writer": ("latin", "arabic", "hebrew", "chinese"),
    "chromium": ("latin", "arabic", "hebrew", "chinese"),
    "weasyprint": ("latin", "arabic", "hebrew", "chinese"),
    "fpdf2": ("latin",),
    "reportlab": ("latin",),
}


def printer(maker: Maker) -> Print:
    """Return the function that prints with a program; loads the program."""
    from eval.printed.makers import calc, fpdf, html, platypus, writer

    printers: dict[Maker, Print] = {
        "calc": calc.print_papers,
        "writer": writer.print_papers,
        "chromium": html.print_with_chromium,
        "weasyprint": html.print_with_weasyprint,
        "fpdf2": fpdf.print_papers,
        "reportlab": platypus.print_papers,
    }
    return printers[maker]

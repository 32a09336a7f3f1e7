"""Six programs that print: each takes documents and writes one PDF for each."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.printed.papers import Look, Maker, Paper, Script


class MissingProgram(Exception):
    """A program or a font is not installed; the message says how to install it."""


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


LETTERS: dict[Script, tuple[str, str]] = {  # one that a font must have, and a package with one
    "arabic": ("628", "fonts-noto-core"),
    "hebrew": ("5d0", "fonts-noto-core"),
    "chinese": ("5e8f", "fonts-wqy-zenhei"),
}


def check_font(script: Script) -> None:
    """Raise MissingProgram if no font of this machine has a script: it would print boxes."""
    lister = shutil.which("fc-list")
    if script not in LETTERS or lister is None:
        return
    letter, package = LETTERS[script]
    command = [lister, f":charset={letter}", "file"]
    if not subprocess.run(command, check=True, capture_output=True).stdout.strip():
        raise MissingProgram(f"no font has its letters: apt-get install {package}")


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

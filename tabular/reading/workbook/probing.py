"""
Open an old xls in a process of its own first.

On some damaged xls files calamine (0.37) does not raise but ends the process: the probe takes the
blow, and the file is refused like any other damaged one.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_OPEN_ALL = """
import sys
from python_calamine import CalamineWorkbook
book = CalamineWorkbook.from_path(sys.argv[1])
for name in book.sheet_names:
    book.get_sheet_by_name(name)
"""


def survives_opening(path: Path) -> bool:
    """
    Say whether calamine lives through the file; an error it raises counts as living.

    A confined step starts no process. It is a child itself, and who watches it tells its crash.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", _OPEN_ALL, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    except PermissionError:
        return True
    return done.returncode >= 0

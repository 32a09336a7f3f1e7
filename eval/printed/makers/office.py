"""LibreOffice, without a window: converts many files in one start."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from eval.printed.makers import MissingProgram

CONVERSION_S = 900


def convert(sources: Sequence[Path], folder: Path, suffix: str = "pdf") -> None:
    """Convert files to another format in ``folder``, under their own names."""
    program = shutil.which("soffice")
    if program is None:
        raise MissingProgram(
            "soffice is not installed: "
            "apt-get install libreoffice-calc-nogui libreoffice-writer-nogui"
        )
    with tempfile.TemporaryDirectory() as profile:
        command = [
            program,
            f"-env:UserInstallation=file://{profile}",
            "--headless",
            "--convert-to",
            suffix,
            "--outdir",
            str(folder),
            *map(str, sources),
        ]
        subprocess.run(
            command, check=True, timeout=CONVERSION_S, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
    missing = [path.name for path in sources if not (folder / f"{path.stem}.{suffix}").exists()]
    if missing:
        raise RuntimeError(f"LibreOffice did not convert {', '.join(missing[:5])}")

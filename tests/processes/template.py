"""An installation that is prepared once and copied: preparing takes longer than many a test."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CATALOG = ROOT / "examples" / "catalogs" / "orders.json"
TENANT = "tnt_owner"


@dataclass(frozen=True, slots=True)
class Template:
    """
    A data folder and a database with a license and the catalog of orders.

    database: the name on PostgreSQL; empty on the embedded default.
    """

    folder: Path
    key: str
    database: str = ""

    def copy_to(self, folder: Path) -> None:
        """Copy the data folder. The database is copied where a database of its own is made."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)


def prepare(folder: Path, url: Mapping[str, str]) -> Template:
    """Prepare an installation. url: the setting of its database; empty on the embedded default."""
    folder.mkdir()
    environment = {**os.environ, "IMPORT_DATA_DIR": str(folder), **url}
    manage(environment, "migrate", "--verbosity", "0")
    key = manage(environment, "license", "mint", "--tenant", TENANT).strip()
    manage(environment, "catalog", "publish", str(CATALOG), "--tenant", TENANT)
    return Template(folder, key, url.get("IMPORT_POSTGRES_URL", "").rpartition("/")[2])


def manage(environment: Mapping[str, str], *arguments: str) -> str:
    """Run a command of the engine to its end, and return what it prints."""
    command = [sys.executable, "scripts/development.py", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=dict(environment), check=True, stdout=subprocess.PIPE, text=True
    ).stdout

"""
Follow an upload from ``POST imports`` to the delivered body, and print the modules it passes.

    python scripts/walk_import.py

An import of one small file runs in this process, with a database and a folder of its own. A module
is passed when one of its functions is called with the import, its changeset or its delivery, or is
a view. Modules are listed in the order of their first call, by step; a line marked ``again``
belongs to a package that the walk had left. What runs in the limited child is not followed.
"""

import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
FILE = ROOT / "examples" / "orders-cp1252.csv"
FOLLOWED = ("ImportRecord", "Changeset", "Delivery")
OUTSIDE = ("scripts", "tests", ".venv", "sandbox", "tabular", "common")


class Walk:
    """The modules that a walk passed, in order, by step."""

    def __init__(self) -> None:
        self.step = ""
        self.passed: dict[str, str] = {}  # module to the step of its first call

    def look(self, frame: FrameType, event: str, _: Any) -> None:
        """Note the module of a call that carries the import."""
        if event != "call" or not frame.f_code.co_filename.startswith(str(ROOT)):
            return
        path = Path(frame.f_code.co_filename).relative_to(ROOT)
        if path.parts[0] in OUTSIDE or path.stem in {"models", "apps", "__init__"}:
            return
        if self._carries(frame):
            self.passed.setdefault(".".join(path.with_suffix("").parts), self.step)

    @staticmethod
    def _carries(frame: FrameType) -> bool:
        code = frame.f_code
        named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        given = (frame.f_locals.get(name) for name in named)
        return any(type(value).__name__ in FOLLOWED for value in given)

    def print(self) -> None:
        """Print each step with its modules, and how often the walk returned to a package."""
        step, before, left, returns = "", "", set(), 0
        for module, now in self.passed.items():
            package = module.partition(".")[0]
            if now != step:
                print(f"\n{now}")
                step = now
            if package != before:
                left.add(before)
            is_return = package != before and package in left
            returns += is_return
            print(f"  {module}{'  again' if is_return else ''}")
            before = package
        packages = {module.partition(".")[0] for module in self.passed}
        print(f"\n{len(self.passed)} modules of {len(packages)} packages, {returns} returns")


def walk() -> Walk:
    """Run one import to its delivery; return the walk."""
    from rest_framework.test import APIClient

    from deliveries.services.dispatch import Dispatcher  # noqa: F401 - loaded before the walk
    from imports.models import ImportRecord
    from workflow import worker

    key = Path(os.environ["IMPORT_DEMO_LICENSE_KEY_FILE"]).read_text().strip()
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {key}", SERVER_NAME="localhost")
    seen = Walk()

    def stepped(name: str, do: Any) -> Any:
        seen.step = name
        sys.setprofile(seen.look)
        threading.setprofile(seen.look)
        try:
            return do()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    imports = "/api/import/v1/imports"
    with FILE.open("rb") as file:
        body = {"file": file, "catalogKey": "orders", "autoMap": "true"}
        answer = stepped("POST imports", lambda: client.post(imports, body))
    record = ImportRecord.objects.get(public_id=answer.json()["recordId"])
    stepped("read, map, transform", lambda: worker.finish(record))
    wishes = {"invalidRows": "exclude", "openQuestions": "dismiss"}
    address = f"{imports}/{record.public_id}/apply"
    stepped("POST apply", lambda: client.post(address, wishes, format="json"))
    stepped("write the delivery", lambda: worker.finish(record))
    record.refresh_from_db()
    if record.state != ImportRecord.State.APPLIED:
        sys.exit(f"The import ended in {record.state}.")
    return seen


def main() -> None:
    """Walk in a folder that is gone afterwards, and print the walk."""
    from development import environment

    with tempfile.TemporaryDirectory() as folder:
        os.environ["IMPORT_DATA_DIR"] = folder
        for command in (["migrate", "--verbosity", "0"], ["setup"]):
            program = [sys.executable, str(ROOT / "scripts" / "development.py"), *command]
            subprocess.run(program, check=True, stdout=subprocess.DEVNULL)
        os.environ.update(environment(os.environ))
        os.environ["DJANGO_SETTINGS_MODULE"] = "importengine.settings"
        import django

        django.setup()
        walk().print()


if __name__ == "__main__":
    main()

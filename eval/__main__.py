"""Measure the engine against test sets from outside: ``make eval``, or one by name."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ARGUMENTS = {
    "reading": ["--reader", "eval.adapters:read"],
    "pdf": ["--reader", "eval.adapters:read_pdf"],
    "matching": ["--matcher", "eval.adapters:match", "--langs"],
}


def main(arguments: list[str]) -> int:
    """Run the named sets, or all; further arguments (``--verbose``) are passed on."""
    sets = Path(os.environ.get("EVAL_SETS", ""))
    if "EVAL_SETS" not in os.environ or not sets.is_dir():
        print("EVAL_SETS does not name a folder of test sets; nothing was measured.")
        return 2
    wanted = [name for name in arguments if name in ARGUMENTS] or list(ARGUMENTS)
    passed_on = [word for word in arguments if word not in ARGUMENTS]
    worst = 0
    for name in wanted:
        print(f"\n== {name}", flush=True)
        script = sets.absolute() / name / "evaluate.py"
        command = [sys.executable, str(script), "--set", "dev", *ARGUMENTS[name], *passed_on]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        worst = max(worst, subprocess.run(command, cwd=ROOT, env=environment).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

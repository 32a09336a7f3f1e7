"""Run the named benchmarks, or all of them."""

import os
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules


def main(wanted: list[str]) -> int:
    """Run and return 0; return 2 if the folder of test sets is missing."""
    sets = Path(os.environ.get("EVAL_SETS", ""))
    if "EVAL_SETS" not in os.environ or not (sets / "perf").is_dir():
        print("EVAL_SETS does not name a folder of test sets; nothing was measured.")
        return 2
    names = [module.name for module in iter_modules([str(Path(__file__).parent)])]
    for name in wanted or sorted(set(names) - {"__main__", "soak", "web"}):
        print(f"\n== {name}", flush=True)
        import_module(f"bench.{name}").main(sets.absolute())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

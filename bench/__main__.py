"""Run the named benchmarks, or all that print figures."""

import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

NOT_ALL = {"__main__", "figures", "peers", "settings", "soak", "web"}


def main(wanted: list[str]) -> int:
    """Run them, and return 0."""
    names = [module.name for module in iter_modules([str(Path(__file__).parent)])]
    for name in wanted or sorted(set(names) - NOT_ALL):
        print(f"\n== {name}", flush=True)
        import_module(f"bench.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

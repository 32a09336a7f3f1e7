"""``python -m tabular read|match|transform|step``: the pure engine on the command line."""

import sys
from importlib import import_module

from tabular.step.lean import without_pandas

COMMANDS = ("read", "match", "transform", "step")
EXIT_USAGE = 64


def main(arguments: list[str]) -> int:
    """Run one command; each is a module of ``tabular.commands`` with a ``run(arguments)``."""
    if not arguments or arguments[0] not in COMMANDS:
        print(f"usage: python -m tabular {'|'.join(COMMANDS)} ...", file=sys.stderr)
        return EXIT_USAGE
    command = import_module(f"tabular.commands.{arguments[0]}")
    return int(command.run(arguments[1:]))


if __name__ == "__main__":
    without_pandas()
    sys.exit(main(sys.argv[1:]))

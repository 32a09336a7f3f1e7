"""``python -m tabular read|match|transform|job|compile``: the pure engine on the command line."""

import os
import sys
from importlib import import_module

COMMANDS = ("read", "match", "transform", "job", "compile")
EXIT_USAGE = 64
EXIT_CUT_OFF = 141  # as a shell reports SIGPIPE


def main(arguments: list[str]) -> int:
    """Run one command; each is a module of ``tabular.commands`` with a ``run(arguments)``."""
    if not arguments or arguments[0] not in COMMANDS:
        print(f"usage: python -m tabular {'|'.join(COMMANDS)} ...", file=sys.stderr)
        return EXIT_USAGE
    command = import_module(f"tabular.commands.{arguments[0]}")
    return int(command.run(arguments[1:]))


if __name__ == "__main__":
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has seen enough, as ``head`` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = EXIT_CUT_OFF
    sys.exit(status)

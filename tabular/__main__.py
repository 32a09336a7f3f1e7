"""``python -m tabular read|match|transform|job|compile``: the pure engine on the command line."""

import gc
import os
import sys
from importlib import import_module

from tabular.commands.clean_start import start_clean

COMMANDS = {  # commands for untrusted files start children, so they are above this package
    "read": "sandbox.commands.read",
    "match": "sandbox.commands.match",
    "transform": "sandbox.commands.transform",
    "job": "tabular.commands.job",
    "compile": "tabular.commands.compile",
}
SELDOM = (100_000, 10, 10)  # garbage is collected: most objects of a short program stay
EXIT_USAGE = 64
EXIT_CUT_OFF, EXIT_INTERRUPTED = 141, 130  # as a shell reports SIGPIPE and SIGINT


def main(arguments: list[str]) -> int:
    """Run one command; each is a module with a ``run(arguments)``."""
    if not arguments or arguments[0] not in COMMANDS:
        print(f"usage: python -m tabular {'|'.join(COMMANDS)} ...", file=sys.stderr)
        return EXIT_USAGE
    command = import_module(COMMANDS[arguments[0]])
    return int(command.run(arguments[1:]))


if __name__ == "__main__":
    if COMMANDS.get(sys.argv[1] if sys.argv[1:] else "", "").startswith("sandbox."):
        start_clean()
    gc.set_threshold(*SELDOM)
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has closed it, as ``head`` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = EXIT_CUT_OFF
    except KeyboardInterrupt:
        status = EXIT_INTERRUPTED
    sys.exit(status)

"""
Run a command and write what it took, as JSON: ``python -I -S usage.py FILE COMMAND...``.

The kernel counts the memory of the process that starts a command as memory of the command. This
one is small; the process that compares is larger than most tools.
"""

import json
import os
import sys
import time


def main(file: str, *command: str) -> int:
    """Return the exit code of the command; it shares the output of this process."""
    started = time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(child, 0)
    figures = {
        "process_cpu": usage.ru_utime + usage.ru_stime,
        "wall": time.perf_counter() - started,
        "peak_mb": usage.ru_maxrss >> 10,
    }
    with open(file, "w", encoding="utf-8") as output:
        json.dump(figures, output)
    return abs(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
"""
Say whether the program of this container works: the health check of the image.

A worker and the beat touch ``PULSE_FILE`` every second. The others serve HTTP: `/readyz` is asked.

    probe [PORT]
"""

import os
import sys
import time
import urllib.error
import urllib.request

SILENT_S = 60.0
PORT = "8000"


def main(arguments: list[str]) -> int:
    """Return 0 if the program works; otherwise print what is wrong and return 1."""
    file = os.environ.get("PULSE_FILE", "")
    wrong = silence(file) if os.path.exists(file) else lacking(*arguments)
    if wrong:
        print(wrong)
    return 1 if wrong else 0


def silence(file: str) -> str:
    """Return why a worker or the beat does not work; empty if it does."""
    silent_s = time.time() - os.stat(file).st_mtime
    return f"no sign of life for {silent_s:.0f} s" if silent_s > SILENT_S else ""


def lacking(port: str = PORT) -> str:
    """Return what the engine lacks to work, as `/readyz` answers; empty if nothing."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=8):
            return ""
    except urllib.error.HTTPError as error:
        return error.read(4_000).decode("utf-8", "replace")
    except OSError as error:
        return str(error)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

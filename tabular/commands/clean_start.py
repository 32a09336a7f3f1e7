"""Start a command again without secrets in its environment, so that it may fork its own jobs."""

import os
import sys
from collections.abc import Mapping

KEPT = frozenset(
    {
        *("PATH", "HOME", "TMPDIR", "TZ", "TERM", "COLUMNS", "LINES", "NO_COLOR", "VIRTUAL_ENV"),
        *("LANG", "LANGUAGE", "IMPORT_SCAN_LANGUAGES"),
    }
)
KEPT_PREFIXES = ("IMPORT_LIMIT_", "LC_", "LD_", "PYTHON")
OF_JOBS = {
    "PYTHONHASHSEED": "0",  # the order of a set is the same in every run
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYDANTIC_DISABLE_PLUGINS": "__all__",  # it would look for them in every installed package
    # It returns freed memory sooner than Arrow's other allocators, and costs the least here.
    "ARROW_DEFAULT_MEMORY_POOL": "jemalloc",
}


def clean(variables: Mapping[str, str]) -> dict[str, str]:
    """Return what a command needs of its environment, with what its jobs are promised."""
    kept = {
        name: value
        for name, value in variables.items()
        if name in KEPT or name.startswith(KEPT_PREFIXES)
    }
    return kept | OF_JOBS


def is_clean() -> bool:
    """Return whether this process never held more than a job may see."""
    return dict(os.environ) == clean(os.environ) and not sys.flags.hash_randomization


def start_clean() -> None:
    """Replace this program by itself in a clean environment, unless it started in one."""
    own = ["-m", "tabular", *sys.argv[1:]]
    if sys.platform != "linux" or sys.orig_argv[-len(own) :] != own:
        return  # another program runs the command
    if dict(os.environ) != clean(os.environ):
        command = [sys.executable, *sys.orig_argv[1:]]
        os.execve(sys.executable, command, clean(os.environ))  # noqa: S606  (this very program)

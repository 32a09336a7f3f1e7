"""
The job server with stand-in code in place of a compromised reader.

``python stand_in.py [--as UID] [--without NAME]... [--first CODE]``: a ``read`` request then runs
the Python code that is its password, and returns the value of ``answer`` as the default of a
question.
"""

import argparse
import encodings.idna  # noqa: F401  (as another user we may not reach the libraries)
import os
import traceback
import zoneinfo  # noqa: F401  (as the line above)

import tabular.job.isolation as isolation
from sandbox import server
from tabular import job
from tabular.job import landlock, seccomp
from tabular.model.issue import Question
from tabular.protocol.results import FoundTable, ReadResult


def taken_over(request, folder, progress):
    names = {"request": request, "folder": folder, "progress": progress, "answer": None}
    try:
        exec(request.choices.password, names)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  (the test looks at it)
        traceback.print_exc()
        names["answer"] = f"{type(error).__name__}: {error}"
    question = Question(kind="table", default=names["answer"])
    return ReadResult(
        format="",
        tables=(FoundTable(columns=()),),
        chosen=0,
        entries={},
        columns=(),
        rows=0,
        left_out={},
        fingerprint="",
        issues=(),
        questions=(question,),
        related=(),
        proposal=None,
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--as", type=int, dest="user")
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--first", default="")
    chosen = parser.parse_args()
    job._job = lambda name: taken_over
    server.preload = lambda: None
    if "landlock" in chosen.without:
        landlock.version = lambda: 0
    if "seccomp" in chosen.without:
        seccomp.is_available = lambda: False
        seccomp.restrict = lambda: False
    if "hook" in chosen.without:
        isolation._refuse = lambda event, arguments: None
    exec(chosen.first, {"server": server})
    if chosen.user is not None:
        isolation.libraries()  # as the preloading does
        os.setgroups([])
        os.setgid(chosen.user)
        os.setuid(chosen.user)
    server.main()


if __name__ == "__main__":
    main()

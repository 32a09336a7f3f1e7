"""One machine of a fleet: ``python -m tests.faults.machine PORT NAME web worker beat``."""

import sys
from functools import partial

import django


def main(port: int, name: str, wanted: list[str]) -> None:
    """Keep the named programs running, as a service manager does."""
    django.setup()
    from importengine.processes import programs
    from importengine.processes.supervisor import Supervisor

    made = {
        "web": lambda: programs.web(host="127.0.0.1", port=port, processes=1),
        "worker": programs.embedded_worker,  # one process that serves every queue
        "beat": programs.beat,
    }
    running = [made[program]() for program in wanted]
    for program in running:  # all run on one host here, as machines of different names
        program.command[:] = [word.replace("%h", name) for word in program.command]
    Supervisor(running, say=partial(print, flush=True)).run()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])

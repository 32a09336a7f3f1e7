"""``manage.py serve``: the whole engine on one machine."""

import logging
import os
import traceback
from argparse import ArgumentParser
from contextlib import suppress
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from importengine.processes import ports, programs
from importengine.processes.required import refuse_incomplete
from importengine.processes.supervisor import GRACE_S, KeepsDying, Program, Supervisor
from importengine.processes.watch import PATIENCE_S, Watch, answers
from tabular.model.sentences import counted

logger = logging.getLogger("serve")

HAND_OVER_S = 5  # for a worker to end its jobs, once IMPORT_GRACE_SECONDS are over


class Command(BaseCommand):
    """Run web and workers under one supervisor."""

    help = "Run the engine: web and a worker; with Redis, the processes of production."
    requires_system_checks = ()  # they run after missing settings were reported

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the address to listen on."""
        parser.add_argument("--host", default="127.0.0.1", help="Address to listen on.")
        parser.add_argument("--port", type=int, default=8000, help="Port to listen on.")
        parser.add_argument(
            "--web-processes", type=int, default=1, help="Number of web processes. Default: 1."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Start, watch and stop the processes."""
        web = programs.web(
            host=options["host"],
            port=options["port"],
            processes=options["web_processes"],
        )
        refuse_incomplete()
        if not ports.becomes_free(options["host"], options["port"]):
            raise CommandError(
                f"Port {options['port']} is in use. "
                "Choose another: --port 8123, or make run PORT=8123."
            )
        self._check_apart()
        everything = [web, *_others()]
        names = [program.name for program in everything]
        watch = Watch(
            answers=partial(answers, options["host"], options["port"]),
            names=set(names),
            on_ready=partial(self._say_ready, web, options, names),
        )
        try:
            Supervisor(
                everything,
                say=self._say,
                silent_s=PATIENCE_S,
                grace_s=max(GRACE_S, settings.GRACE_S + HAND_OVER_S),
            ).run(look=watch)
        except KeepsDying as error:
            raise CommandError(str(error)) from None

    def _check_apart(self) -> None:
        """Run Django's checks in a child, which ends with all the routes that they load."""
        self.stdout.flush()
        child = os.fork()
        if child == 0:
            os._exit(self._status_of_checks())
        if status := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            raise SystemExit(status)

    def _status_of_checks(self) -> int:
        try:
            self.check()
            self._refuse_old_tables()
        except CommandError as error:
            self.stderr.write(str(error), lambda text: text)
            return 1
        except BaseException:  # noqa: BLE001 - whatever it was, this child goes no further
            traceback.print_exc()
            return 1
        finally:
            self.stdout.flush()
            self.stderr.flush()
        return 0

    def _refuse_old_tables(self) -> None:
        """Refuse to start if migrations are missing. A database that is away is waited for."""
        from importengine.checks import missing_migrations  # only where checks run

        with suppress(Error):
            if missing := missing_migrations():
                lacking = counted(missing, "migration")
                raise CommandError(f"The database lacks {lacking}. Run `manage.py migrate` first.")

    def _say_ready(self, web: Program, options: dict[str, Any], names: list[str]) -> None:
        web.came_up = True  # it sends no pulse
        address = f"http://{options['host']}:{options['port']}{settings.PATH_PREFIX}"
        if settings.LOG_FORMAT == "json":
            logger.info("running %s at %s", ", ".join(names), address)
            return
        self.stdout.write(f"  Running      {', '.join(names)} at {address}\n")
        self.stdout.flush()

    def _say(self, sentence: str) -> None:
        """Print what happened to a program, in the form of the log."""
        if settings.LOG_FORMAT == "json":
            logger.warning(sentence)
        else:
            self.stderr.write(sentence)


def _others() -> list[Program]:
    if settings.REDIS_URL:
        return [programs.import_worker(), programs.delivery_worker(), programs.beat()]
    programs.make_broker_folders()
    return [programs.embedded_worker()]

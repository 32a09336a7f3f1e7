"""``manage.py serve``: the whole engine on one machine."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from importengine import programs
from importengine.supervisor import supervise


class Command(BaseCommand):
    """Run web and workers under one supervisor."""

    help = "Run the engine: web and worker; with Redis, the production set of processes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the address to listen on."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--web-processes", type=int, default=1)
        parser.add_argument("--web-threads", type=int, default=16)

    def handle(self, *args: Any, **options: Any) -> None:
        """Start, watch and end the processes."""
        web = programs.web(
            host=options["host"],
            port=options["port"],
            processes=options["web_processes"],
            threads=options["web_threads"],
        )
        if settings.REDIS_URL:
            workers = [programs.import_workers(2), programs.delivery_worker(), programs.beat()]
        else:
            for folder in ("queue", "control"):
                (Path(settings.BROKER_DIR) / folder).mkdir(parents=True, exist_ok=True)
            workers = [programs.embedded_worker()]
        supervise([web, *workers], say=self.stderr.write)

"""``manage.py mcp``: the tools of agents over stdio, for one client with one license."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from agents import sessions, stdio
from common import clock
from common.errors import ServiceError
from common.http.language import using_language, wanted
from importengine.processes import encryption
from importengine.processes.required import refuse_incomplete
from licensing.services import accept_key


class Command(BaseCommand):
    """Serve MCP on stdin and stdout; needs no worker, and is safe while one runs."""

    help = "Serve the tools for agents (MCP) over stdio; set IMPORT_LICENSE_KEY to a license key."
    requires_system_checks = ()  # a client is waiting

    def handle(self, *args: Any, **options: Any) -> None:
        """Check the license once, then serve; a refusal is one line on stderr."""
        refuse_incomplete()
        encryption.say_at_start()
        if not settings.LICENSE_KEY:
            raise SystemExit("Not started: IMPORT_LICENSE_KEY is not set.")
        try:
            caller, _ = accept_key(key=settings.LICENSE_KEY, at=clock.now())
        except ServiceError as error:
            raise SystemExit(f"Not started: {error.sentence}") from None
        with using_language(wanted(settings.AGENT_LANGUAGE)):
            stdio.serve(sessions.of_process(caller, files=settings.AGENT_FILES))

"""``manage.py status``: what waits, what fails, and what an operator should look at."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from analytics import selectors
from analytics.concerns import Concern, concerns, lasting
from analytics.selectors import Now
from common import clock
from importengine.web.metrics import machine


class Command(BaseCommand):
    """Print the state of the engine; exit with 1 if something needs an operator."""

    help = "Print what waits and what fails. Exit code 1 if something needs an operator."
    requires_system_checks = ()  # it tells what is wrong, also where a check would stop it

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the format."""
        parser.add_argument("--json", action="store_true", help="Print JSON for programs.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the state, then what needs an operator."""
        try:
            now = selectors.now(clock.now())
            needed = list(concerns(now, machine()))
        except Error as error:
            raise CommandError(f"The database does not answer: {error}") from error
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(now, needed), indent=2))
        else:
            self._print(now, needed)
        if needed:
            sys.exit(1)

    def _print(self, now: Now, needed: list[Concern]) -> None:
        lines = {
            "Imports": _listed(now.imports),
            "Deliveries": _listed(now.deliveries),
            "Open questions": f"{now.questions}, the oldest {lasting(now.oldest_question)} old"
            if now.questions
            else "none",
            "Receivers": f"{now.receivers}, {now.failing_receivers} failing, "
            f"{now.refusing_receivers} of them refusing",
            "Feeds": f"{sum(now.feeds.by_health.values())}, {now.feeds.failing} failing",
            "Mails": f"{now.mails.queued} wait, {now.mails.retried} of them to be tried again",
            "License keys": f"{now.expiring[30]} expire within 30 days, "
            f"{now.expiring[7]} within 7, {now.expiring[1]} within 1; "
            f"{now.expiring[0]} expired in the last 30",
            "Due work": _listed({q: lasting(w) for q, w in now.oldest_due.items() if w}),
        }
        for name, text in lines.items():
            self.stdout.write(f"{name + ':':<16}{text}")
        for concern in needed:
            self.stdout.write(f"\n! {concern.sentence}\n  {concern.remedy}")
        if not needed:
            self.stdout.write("\nNothing needs an operator.")


def _listed(values: dict[str, Any]) -> str:
    return ", ".join(f"{value} {name}" for name, value in sorted(values.items())) or "none"


def _as_json(now: Now, needed: list[Concern]) -> dict[str, Any]:
    def plain(value: Any) -> Any:
        return value.total_seconds() if isinstance(value, timedelta) else value

    state = {name: plain(value) for name, value in asdict(now).items()}
    state["at"] = now.at.isoformat()
    for name in ("feeds", "mails"):
        state[name] = {key: plain(value) for key, value in state[name].items()}
    state["oldest_due"] = {name: plain(span) for name, span in now.oldest_due.items()}
    return {"needsOperator": [asdict(concern) for concern in needed], "now": state}

"""How jobs run here: in limited numbers, confined, and prepared before the first import."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from celery.signals import worker_init, worker_process_init, worker_ready
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

import sandbox
from sandbox.recognition import what_is_wrong
from tabular.job import isolation

logger = logging.getLogger(__name__)


def configure() -> None:
    """Pass the settings to the sandbox."""
    sandbox.POLICY.at_once = settings.JOBS_AT_ONCE
    sandbox.POLICY.slots = Path(settings.DATA_DIR) / "jobs"
    sandbox.POLICY.is_strict = settings.SANDBOX == "strict"
    sandbox.POLICY.scan_languages = settings.SCAN_LANGUAGES


@register(Tags.security)
def check_confinement(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return what this machine lacks to confine a compromised parser."""
    if not (lacking := isolation.missing()):
        return []
    kind = Error if settings.SANDBOX == "strict" else Warning
    hint = "Linux 5.13 or newer has both; a container's own filter may hide them."
    return [kind(_sentence(lacking), hint=hint, id="sandbox.E001")]


@register()
def check_recognition(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return what this machine lacks to recognise scans, if the operator wants them read."""
    if not (wrong := what_is_wrong(settings.SCAN_LANGUAGES)):
        return []
    hint = "Install tesseract-ocr and tesseract-ocr-deu, -eng and so on, or unset the setting."
    message = f"IMPORT_SCAN_LANGUAGES is set, but {wrong}: scans are refused."
    return [Warning(message, hint=hint, id="sandbox.W001")]


@worker_init.connect
def begin(sender: Any, **kwargs: Any) -> None:
    """Refuse to start if confinement is required and impossible; otherwise log what is missing."""
    if wrong := what_is_wrong(settings.SCAN_LANGUAGES):
        logger.error("IMPORT_SCAN_LANGUAGES is set, but %s: scans are refused.", wrong)
    if lacking := isolation.missing():
        logger.error(_sentence(lacking))
        if settings.SANDBOX == "strict":
            raise SystemExit("IMPORT_SANDBOX is strict: the worker does not start.")


@worker_process_init.connect
@worker_ready.connect
def warm_up(sender: Any, **kwargs: Any) -> None:
    """Start the job server in each process that will run jobs."""
    pool = getattr(sender, "pool", None)  # of a whole worker, not of one of its processes
    if type(pool).__module__.endswith("prefork"):
        return
    from importengine.celery import app

    if "imports" in app.amqp.queues.consume_from:
        sandbox.warm_up()


def _sentence(lacking: Sequence[str]) -> str:
    names = " and ".join(lacking)
    return f"Files are parsed without {names}: a parser taken over could reach more than its file."

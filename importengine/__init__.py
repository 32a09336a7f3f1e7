"""Wiring: settings, routes, the Celery app, commands across packages. Nothing is decided here."""

from importengine.processes import memory

memory.begin_start()  # before most is imported

from importengine.celery import app as celery_app  # noqa: E402 - after the line above

__all__ = ["celery_app"]

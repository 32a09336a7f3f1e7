"""Wiring: settings, addresses, the Celery app, commands that cross rooms. Nothing decides here."""

from importengine.celery import app as celery_app

__all__ = ["celery_app"]

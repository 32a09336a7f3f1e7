"""Wiring: settings, routes, the Celery app, commands across packages. Nothing is decided here."""

from importengine.celery import app as celery_app

__all__ = ["celery_app"]

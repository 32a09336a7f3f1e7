"""The one Celery app: Redis in production, kombu's filesystem transport embedded."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "importengine.settings")

app = Celery("importengine")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

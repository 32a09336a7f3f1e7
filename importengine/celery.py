"""The one Celery app: Redis in production, kombu's filesystem transport embedded."""

import os

from celery import Celery

from tabular.lean import without_pandas

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "importengine.settings")
without_pandas()  # here, because every process of the engine passes by

app = Celery("importengine")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

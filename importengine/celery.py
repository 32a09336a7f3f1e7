"""The one Celery app: Redis in production, files of the data folder embedded."""

import os

from celery import Celery
from celery.signals import (
    beat_init,
    before_task_publish,
    celeryd_init,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_init,
    worker_ready,
)

import importengine.processes.transport  # noqa: F401  (registers the scheme ``files``)
from importengine import logs
from importengine.processes import encryption, heartbeats, pulse, required, task_logs
from tabular.job.isolation import close_to_others

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "importengine.settings")
close_to_others()  # here, because every process with secrets imports this

app = Celery("importengine")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

setup_logging.connect(logs.keep_to_settings)
before_task_publish.connect(task_logs.pass_on)
task_prerun.connect(task_logs.begin)
task_postrun.connect(task_logs.end)
celeryd_init.connect(required.refuse_incomplete)
celeryd_init.connect(required.refuse_unknown_queues)
beat_init.connect(required.refuse_incomplete)
worker_init.connect(encryption.say_at_start)
beat_init.connect(encryption.say_at_start)
worker_init.connect(pulse.begin)
beat_init.connect(pulse.begin)
worker_ready.connect(heartbeats.begin_worker)
beat_init.connect(heartbeats.begin_beat)

"""The one Celery app: Redis in production, files of the data folder embedded."""

import os
from functools import cached_property
from typing import Any

from celery import Celery
from celery.signals import (
    beat_init,
    before_task_publish,
    celeryd_init,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_init,
    worker_process_init,
    worker_ready,
)
from django.conf import settings

import importengine.processes.transport  # noqa: F401  (registers the scheme ``files``)
from importengine import logs
from importengine.metrics import counts, push
from importengine.processes import encryption, heartbeats, memory, pulse, required, task_logs
from tabular.job.isolation import close_to_others

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "importengine.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # they load every route, and nothing is reported
required.refuse_invalid()
close_to_others()  # here, because every process with secrets imports this


class App(Celery):
    """Celery's app, with the engine's own beat."""

    @cached_property
    def Beat(self) -> type[Any]:  # noqa: N802 - Celery's name
        """Return the program that ``celery beat`` runs."""
        from importengine.processes.ringer import Beat

        program: type[Any] = self.subclass_with_self(Beat)
        return program


def begin_beat_in_worker(sender: Any, **_: Any) -> None:
    """Run the beat in this worker, if it is the one worker of an embedded engine."""
    if not settings.REDIS_URL:
        from importengine.processes import ringer

        ringer.begin(sender.app)


app = App("importengine")
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
worker_ready.connect(counts.begin)
worker_ready.connect(push.begin)
worker_process_init.connect(counts.begin)  # where jobs run in processes of the worker
worker_ready.connect(begin_beat_in_worker)
worker_ready.connect(memory.end_start)
beat_init.connect(heartbeats.begin_beat)

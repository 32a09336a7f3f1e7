"""The ASGI application: the gateway, and Django behind it in threads."""

import logging
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from threading import Barrier
from typing import cast

from importengine.wsgi import application as wsgi  # first, because it sets Django up

SWITCH_S = 0.001


def make_application() -> object:
    """Return the gateway around Django, configured from the settings."""
    from django.conf import settings

    from common.logs.lines import PlainText
    from importengine.metrics import counts, push
    from importengine.processes import encryption, heartbeats
    from importengine.processes.memory import FreeMemory, end_start
    from importengine.web.answers import stops_when_gone
    from importengine.web.gateway import Allowances, App, Gateway
    from importengine.web.prefix import without_prefix
    from importengine.web.whole_answers import Threads
    from licensing.authentication import is_staff_cookie, license_named, session_named

    if settings.LOG_FORMAT == "json":
        sys.stderr = PlainText(logging.getLogger("stderr").error)
    encryption.begin()
    counts.begin()
    push.begin()
    heartbeats.begin_web()
    # A call hands the interpreter over many times; each time, one that computes keeps it this long.
    sys.setswitchinterval(SWITCH_S)
    django = Threads(stops_when_gone(wsgi), workers=settings.WEB_THREADS)
    start_threads(django.executor, settings.WEB_THREADS)
    gateway = Gateway(
        cast(App, django),
        Allowances(
            threads=settings.WEB_THREADS,
            per_address=settings.REQUESTS_PER_ADDRESS,
            json_bytes=settings.MAX_JSON_BYTES,
            agent_bytes=settings.AGENT_BYTES,
            floor=settings.BODY_FLOOR,
            proxies=settings.TRUSTED_PROXIES,
        ),
        by_key=license_named,
        by_session=session_named,
        is_staff=is_staff_cookie,
        has_memory=FreeMemory(settings.MEMORY_BYTES).is_left,
    )
    import_module(settings.ROOT_URLCONF)  # otherwise the first calls wait for it
    end_start()
    return without_prefix(gateway, settings.PATH_PREFIX)


def start_threads(executor: ThreadPoolExecutor, count: int) -> None:
    """Start all threads of an executor now: later there may be no memory for their stacks."""
    barrier = Barrier(count + 1)
    for _ in range(count):
        executor.submit(barrier.wait)
    barrier.wait()


application = make_application()

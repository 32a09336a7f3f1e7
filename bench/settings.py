"""The engine's settings without the pace of registrations: a benchmark makes hundreds at once."""

from importengine.settings import *  # noqa: F403  (a settings module)

WEBHOOK_CALLS_PER_MINUTE = 1_000_000

"""
The client of an Import Engine, for servers.

``connect`` opens a client, ``import_engine.api`` has a function for each call of the engine,
``import_engine.models`` what they take and return, and ``webhooks.verify`` checks a delivery.
"""

from import_engine import webhooks
from import_engine.client import Engine, EngineRefused, connect
from import_engine.imports import (
    iterate_results,
    iterate_results_async,
    wait_for_import,
    wait_for_import_async,
)

__all__ = [
    "Engine",
    "EngineRefused",
    "connect",
    "iterate_results",
    "iterate_results_async",
    "wait_for_import",
    "wait_for_import_async",
    "webhooks",
]

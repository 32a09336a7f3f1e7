"""
What the work of this thread is about: ids that every log line of it has in its JSON form.

The ids are those of a call, its trace, its tenant, an import, a delivery and a task. There is no
name, no address of a client unless the operator wants it, and nothing that a file contains.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

NOTHING: Mapping[str, str] = MappingProxyType({})
_about: ContextVar[Mapping[str, str]] = ContextVar("log_context", default=NOTHING)


def current() -> Mapping[str, str]:
    """Return the ids of what this thread works on."""
    return _about.get()


def add(**ids: str) -> None:
    """Add ids until the enclosing ``about`` ends; empty ones are left out."""
    _about.set({**_about.get(), **{name: value for name, value in ids.items() if value}})


@contextmanager
def about(ids: Mapping[str, str] = NOTHING) -> Iterator[None]:
    """
    Add ids for a block of work, and forget those that were added in it.

    >>> with about({"import": "rec_1"}):
    ...     add(tenant="tnt_1")
    ...     dict(current())
    {'import': 'rec_1', 'tenant': 'tnt_1'}
    >>> dict(current())
    {}
    """
    token = _about.set({**_about.get(), **{name: value for name, value in ids.items() if value}})
    try:
        yield
    finally:
        _about.reset(token)

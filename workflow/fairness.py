"""Which import is worked on next, so that no tenant blocks the others."""

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

RESERVED = 2  # of a worker's slots, for tenants without a running job here, and small files
LIGHT_BYTES = 512 * 1024  # a smaller file takes about a second to read

Whose = tuple[int, str]  # tenant, and scope within it


@dataclass(frozen=True, slots=True)
class Queue:
    """The work of one scope of a tenant that is waiting, and since when."""

    tenant: int
    scope: str
    since: datetime

    @property
    def whose(self) -> Whose:
        """The tenant and scope it belongs to."""
        return self.tenant, self.scope


def in_fair_order(waiting: Iterable[Queue], running: Mapping[Whose, int]) -> list[Queue]:
    """
    Order queues by the fewest running jobs of the tenant, then of the scope, then by waiting time.

    Whenever a job ends, the next one therefore belongs to another tenant if one waits. With two
    tenants waiting, each has half of the running jobs; with three, a third.
    """
    of_tenant: Counter[int] = Counter()
    for (tenant, _), count in running.items():
        of_tenant[tenant] += count

    def burden(queue: Queue) -> tuple[int, int, datetime, Whose]:
        mine = running.get(queue.whose, 0)
        return of_tenant[queue.tenant], mine, queue.since, queue.whose

    return sorted(waiting, key=burden)


class JobSlots:
    """
    The job slots of one worker process: regular ones, and a few reserved for newcomers.

    A single tenant may use every regular slot; a tenant without a running job in this process finds
    a reserved one free, however long the jobs of the others take. All reserved ones but the last
    also take small files of any tenant, so that they need not wait for large ones.
    """

    def __init__(self, usual: int, *, reserved: int = RESERVED) -> None:
        self._usual = usual
        self._most = usual + reserved
        self._by_tenant: Counter[int] = Counter()
        self.lock = threading.Lock()  # held while a slot is assigned

    @property
    def is_full(self) -> bool:
        """Return whether no job can start."""
        return self._by_tenant.total() >= self._most

    def allowed(self, queues: Sequence[Queue]) -> list[Queue]:
        """Return the queues that may start something, if only a small file."""
        if self.is_full:
            return []
        if self._has_usual or self._by_tenant.total() < self._most - 1:
            return list(queues)
        return [queue for queue in queues if not self._by_tenant[queue.tenant]]

    def takes_only_light(self, tenant: int) -> bool:
        """Return whether a tenant that may start something may start a small file only."""
        return not self._has_usual and tenant in self._by_tenant

    @property
    def _has_usual(self) -> bool:
        return self._by_tenant.total() < self._usual

    def enter(self, tenant: int) -> bool:
        """Take a slot; return whether it is a reserved one."""
        is_reserved = not self._has_usual
        self._by_tenant[tenant] += 1
        return is_reserved

    def leave(self, tenant: int) -> None:
        """Release a slot."""
        with self.lock:
            self._by_tenant[tenant] -= 1
            if not self._by_tenant[tenant]:
                del self._by_tenant[tenant]

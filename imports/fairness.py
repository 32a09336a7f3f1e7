"""Whose import is worked on next, so that no tenant keeps the others waiting."""

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

RESERVED = 2  # of a worker's turns, for tenants that have nothing running there

Whose = tuple[int, str]  # tenant, and scope within it


@dataclass(frozen=True, slots=True)
class Queue:
    """What waits for one scope of a tenant, and since when."""

    tenant: int
    scope: str
    since: datetime

    @property
    def whose(self) -> Whose:
        """Whom it belongs to."""
        return self.tenant, self.scope


def in_turn(waiting: Iterable[Queue], running: Mapping[Whose, int]) -> list[Queue]:
    """
    Order queues by who has least running: the tenant first, then the scope, then who waits longest.

    Whenever a job ends, the next one is therefore another tenant's, if one waits; with two
    tenants waiting each has half of what runs, with three a third.
    """
    of_tenant: Counter[int] = Counter()
    for (tenant, _), count in running.items():
        of_tenant[tenant] += count

    def burden(queue: Queue) -> tuple[int, int, datetime, Whose]:
        mine = running.get(queue.whose, 0)
        return of_tenant[queue.tenant], mine, queue.since, queue.whose

    return sorted(waiting, key=burden)


class Turns:
    """
    The work of one worker process: so many turns for anybody, a few more for newcomers.

    A tenant alone has every usual turn; one that has nothing running in this process finds a
    reserved one free, however long the jobs of the others take.
    """

    def __init__(self, usual: int, *, reserved: int = RESERVED) -> None:
        self._usual = usual
        self._most = usual + reserved
        self._by_tenant: Counter[int] = Counter()
        self.lock = threading.Lock()  # held while a turn is chosen

    @property
    def is_full(self) -> bool:
        """Whether nobody may begin."""
        return self._by_tenant.total() >= self._most

    def allowed(self, queues: Sequence[Queue]) -> list[Queue]:
        """Leave out whom only a reserved turn is left for, and who has something running."""
        if self.is_full:
            return []
        if self._by_tenant.total() < self._usual:
            return list(queues)
        return [queue for queue in queues if not self._by_tenant[queue.tenant]]

    def enter(self, tenant: int) -> bool:
        """Take a turn; say whether it is a reserved one."""
        is_reserved = self._by_tenant.total() >= self._usual
        self._by_tenant[tenant] += 1
        return is_reserved

    def leave(self, tenant: int) -> None:
        """Give a turn back."""
        with self.lock:
            self._by_tenant[tenant] -= 1
            if not self._by_tenant[tenant]:
                del self._by_tenant[tenant]

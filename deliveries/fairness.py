"""
Which delivery may be sent next, so that no tenant and no host delays another.

Pure accounting of attempts in flight.
"""

from collections import Counter
from dataclasses import dataclass

THREADS = 128  # one registration gets a quarter of them
FEW_THREADS = 32  # if hosts answer at once, more would only wait for each other
CLAIMS = 1_024  # claimed in advance, so that a batch is worth its transaction
SLOTS_OF_A_FAILING_ONE = 2
LARGE_BYTES = 4 * 1024**2


@dataclass(frozen=True, slots=True)
class Candidate:
    """A delivery that is due, reduced to what fairness needs."""

    key: int
    tenant: int
    registration: int
    host: str  # scheme, name and port
    size: int  # bytes
    is_failing: bool

    @property
    def is_large(self) -> bool:
        """Return whether its host gets it alone."""
        return self.size >= LARGE_BYTES


class Slots:
    """
    The slots of one dispatcher: for its threads, and for deliveries claimed in advance.

    A tenant gets at most half of the free slots, so that its slow hosts leave capacity for the next
    tenant; a registration gets at most half of its tenant's share, so that a host that has just
    died leaves capacity for the others. A failing registration gets two slots, and all failing ones
    of a tenant half of its share. Each host gets one large body of a tenant at a time.
    """

    def __init__(self, *, count: int = THREADS) -> None:
        self.count = count
        self._by_key: dict[int, Candidate] = {}
        self._by_registration: Counter[int] = Counter()
        self._by_tenant: Counter[int] = Counter()
        self._failing: Counter[int] = Counter()  # by tenant
        self._large: set[tuple[int, str]] = set()  # tenant and host

    def __len__(self) -> int:
        return len(self._by_key)

    @property
    def free(self) -> int:
        """Return how many slots are free."""
        return self.count - len(self._by_key)

    def holds(self, key: int) -> bool:
        """Return whether a delivery has a slot already."""
        return key in self._by_key

    def enter(self, candidate: Candidate) -> bool:
        """Take a slot for a candidate; return False if it has to wait."""
        if self.is_full(candidate) or self.must_wait_for_its_host(candidate):
            return False
        self._by_key[candidate.key] = candidate
        self._by_registration[candidate.registration] += 1
        self._by_tenant[candidate.tenant] += 1
        self._failing[candidate.tenant] += candidate.is_failing
        if candidate.is_large:
            self._large.add((candidate.tenant, candidate.host))
        return True

    def leave(self, key: int) -> None:
        """Release the slot of an attempt."""
        candidate = self._by_key.pop(key)
        self._by_registration[candidate.registration] -= 1
        self._by_tenant[candidate.tenant] -= 1
        self._failing[candidate.tenant] -= candidate.is_failing
        if not self._by_registration[candidate.registration]:
            del self._by_registration[candidate.registration]
        if not self._by_tenant[candidate.tenant]:
            del self._by_tenant[candidate.tenant], self._failing[candidate.tenant]
        if candidate.is_large:
            self._large.discard((candidate.tenant, candidate.host))

    def is_full_for_tenant(self, candidate: Candidate) -> bool:
        """Return whether its tenant may start nothing more, for any registration."""
        return self._by_tenant[candidate.tenant] >= self._share_of(candidate.tenant)

    def is_full(self, candidate: Candidate) -> bool:
        """Return whether this registration may start nothing more."""
        if self.is_full_for_tenant(candidate):
            return True
        share, mine = (
            self._share_of(candidate.tenant),
            self._by_registration[candidate.registration],
        )
        if candidate.is_failing and (
            mine >= SLOTS_OF_A_FAILING_ONE or self._failing[candidate.tenant] >= max(1, share // 2)
        ):
            return True
        return mine >= _half(share - self._by_tenant[candidate.tenant] + mine)

    def must_wait_for_its_host(self, candidate: Candidate) -> bool:
        """Return whether it is large and its host already receives a large body of the tenant."""
        return candidate.is_large and (candidate.tenant, candidate.host) in self._large

    def _share_of(self, tenant: int) -> int:
        return _half(self.free + self._by_tenant[tenant])


def _half(slots: int) -> int:
    return (slots + 1) // 2

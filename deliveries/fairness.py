"""Who may send next, so that no host delays another. Pure bookkeeping of attempts in flight."""

from collections import Counter
from dataclasses import dataclass

THREADS = 64
FEW_THREADS = 16  # while hosts answer at once: more would only wait for each other
CLAIMS = 512  # claimed in advance, so that a batch is worth its transaction
SLOTS_OF_A_FAILING_ONE = 2
LARGE_BYTES = 4 * 1024**2


@dataclass(frozen=True, slots=True)
class Candidate:
    """A delivery that is due, as far as fairness cares."""

    key: int
    registration: int
    host: str  # scheme, name and port
    size: int  # bytes
    is_failing: bool

    @property
    def is_large(self) -> bool:
        """Whether its host gets it alone."""
        return self.size >= LARGE_BYTES


class Slots:
    """
    The slots of one dispatcher: of its threads, and of what it may claim in advance.

    A registration gets at most half of what is free, so that a host that has just died leaves
    room; one known to fail gets two slots, and all failing ones together a quarter. Each host
    gets one large body at a time.
    """

    def __init__(self, *, count: int = THREADS) -> None:
        self.count = count
        self._by_key: dict[int, Candidate] = {}
        self._by_registration: Counter[int] = Counter()
        self._failing = 0
        self._large_hosts: set[str] = set()

    def __len__(self) -> int:
        return len(self._by_key)

    @property
    def free(self) -> int:
        """How many slots nobody has."""
        return self.count - len(self._by_key)

    def holds(self, key: int) -> bool:
        """Whether a delivery has its slot already."""
        return key in self._by_key

    def enter(self, candidate: Candidate) -> bool:
        """Take a slot for a candidate; False when it has to wait."""
        if self.is_full(candidate) or self.must_wait_for_its_host(candidate):
            return False
        self._by_key[candidate.key] = candidate
        self._by_registration[candidate.registration] += 1
        self._failing += candidate.is_failing
        if candidate.is_large:
            self._large_hosts.add(candidate.host)
        return True

    def leave(self, key: int) -> None:
        """Give the slot of an attempt back."""
        candidate = self._by_key.pop(key)
        self._by_registration[candidate.registration] -= 1
        if not self._by_registration[candidate.registration]:
            del self._by_registration[candidate.registration]
        self._failing -= candidate.is_failing
        if candidate.is_large:
            self._large_hosts.discard(candidate.host)

    def is_full(self, candidate: Candidate) -> bool:
        """Whether this registration may start nothing more."""
        mine = self._by_registration[candidate.registration]
        if candidate.is_failing and (
            mine >= SLOTS_OF_A_FAILING_ONE or self._failing >= self.count // 4
        ):
            return True
        return mine >= (self.free + mine + 1) // 2

    def must_wait_for_its_host(self, candidate: Candidate) -> bool:
        """Whether the host is busy with a large body and this is another one."""
        return candidate.is_large and candidate.host in self._large_hosts

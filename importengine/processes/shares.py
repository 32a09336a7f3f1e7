"""Slots shared fairly between callers: each uses a part of them, and waits in its own queue."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from common.errors import TooManyRequests

Who = tuple[str, ...]  # a license, and a session of it; or an address
PARTS = (3 / 4, 1 / 2)  # of all slots: the maximum of a caller, and of one session


class TooManyAtOnce(TooManyRequests):
    """Too many of your requests are open at once; wait and retry."""

    code = "too_many_at_once"


class Shares:
    """
    A number of slots for all callers together.

    A caller that requests more than its part, or while none is free, waits; waiting callers are
    served in turn, however many requests each has. Raise TooManyAtOnce if a queue is too long, or
    does not move for ``patience_s``. For a single event loop.
    """

    def __init__(self, slots: int, *, line: int, patience_s: float) -> None:
        self._free = slots
        self._most = [max(1, int(slots * part)) for part in PARTS]
        self._line, self._patience_s = line, patience_s
        self._held: Counter[Who] = Counter()
        self._waiting: dict[Who, deque[tuple[int, asyncio.Future[None]]]] = {}

    @asynccontextmanager
    async def taken(self, who: Who, amount: int = 1) -> AsyncIterator[None]:
        """Hold slots while the block runs. Raise TooManyAtOnce."""
        amount = min(amount, *self._most[: len(who)])
        await self._take(who, amount)
        try:
            yield
        finally:
            self._give_back(who, amount)

    async def _take(self, who: Who, amount: int) -> None:
        line = self._waiting.get(who)
        if not line and self._fits(who, amount):
            self._hold(who, amount)
            return
        if len(line or ()) >= self._line:
            raise TooManyAtOnce(members={"retryAfter": 1})
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(who, deque()).append((amount, turn))
        try:
            async with asyncio.timeout(self._patience_s):
                await turn
        except BaseException as error:
            self._leave(who, amount, turn)
            if isinstance(error, TimeoutError):
                raise TooManyAtOnce(members={"retryAfter": 5}) from error
            raise

    def _leave(self, who: Who, amount: int, turn: "asyncio.Future[None]") -> None:
        """Leave a queue, or release slots that were just assigned."""
        if turn.done() and not turn.cancelled():
            self._give_back(who, amount)
            return
        line = self._waiting.get(who, deque())
        with suppress(ValueError):
            line.remove((amount, turn))
        if not line:
            self._waiting.pop(who, None)

    def _fits(self, who: Who, amount: int) -> bool:
        return amount <= self._free and all(
            self._held[who[: level + 1]] + amount <= self._most[level] for level in range(len(who))
        )

    def _hold(self, who: Who, amount: int) -> None:
        self._free -= amount
        for level in range(len(who)):
            self._held[who[: level + 1]] += amount

    def _give_back(self, who: Who, amount: int) -> None:
        self._free += amount
        for level in range(len(who)):
            part = who[: level + 1]
            self._held[part] -= amount
            if not self._held[part]:
                del self._held[part]
        self._admit()

    def _admit(self) -> None:
        """Serve the queues in turn, the first request of each."""
        moved = True
        while moved and self._free > 0:
            moved = False
            for who in list(self._waiting):
                line = self._waiting[who]
                amount, turn = line[0]
                if turn.cancelled() or self._fits(who, amount):
                    line.popleft()
                    del self._waiting[who]
                    if line:
                        self._waiting[who] = line  # after the others
                    if not turn.cancelled():
                        self._hold(who, amount)
                        turn.set_result(None)
                    moved = True

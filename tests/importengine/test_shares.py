"""Slots that callers share: each uses a part of them, and waiting callers are served in turn."""

import asyncio

import pytest

from importengine.processes.shares import Shares, TooManyAtOnce


def shares(slots=8, *, line=100, patience_s=60.0) -> Shares:
    return Shares(slots, line=line, patience_s=patience_s)


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


class Holder:
    """Takes a slot and keeps it until it is told to release it."""

    def __init__(self, shared: Shares, *who: str, amount: int = 1) -> None:
        self.has_it = False
        self._let_go = asyncio.Event()
        self.task = asyncio.create_task(self._hold(shared, who, amount))

    async def _hold(self, shared, who, amount) -> None:
        async with shared.taken(who, amount):
            self.has_it = True
            await self._let_go.wait()

    async def let_go(self) -> None:
        self._let_go.set()
        await self.task
        await settle()


def having(holders) -> list[bool]:
    return [holder.has_it for holder in holders]


def test_one_caller_takes_three_quarters_and_one_session_of_it_a_half():
    async def walk():
        shared = shares()
        page = [Holder(shared, "lic", "ses") for _ in range(5)]
        await settle()
        others = [Holder(shared, "lic", "other") for _ in range(3)]
        await settle()
        stranger = Holder(shared, "another")
        await settle()
        return having(page), having(others), stranger.has_it

    page, others, stranger = asyncio.run(walk())

    assert (sum(page), sum(others), stranger) == (4, 2, True)


def test_callers_that_wait_are_served_in_turn():
    async def walk():
        shared = shares(4)
        held = [Holder(shared, "first") for _ in range(3)] + [Holder(shared, "second")]
        await settle()
        many = [Holder(shared, "second") for _ in range(10)]
        third = Holder(shared, "third")
        await settle()
        await held[3].let_go()
        await held[0].let_go()
        return sum(having(many)), third.has_it

    assert asyncio.run(walk()) == (1, True)


def test_a_line_has_an_end():
    async def walk():
        shared = shares(1, line=2)
        holders = [Holder(shared, "mine") for _ in range(4)]
        await settle()
        return [type(h.task.exception()) for h in holders if h.task.done()]

    assert asyncio.run(walk()) == [TooManyAtOnce]


def test_a_wait_has_an_end_and_leaves_the_line():
    async def walk():
        shared = shares(1, patience_s=0.01)
        first = Holder(shared, "mine")
        await settle()
        second = Holder(shared, "mine")
        with pytest.raises(TooManyAtOnce):
            await second.task
        await first.let_go()
        third = Holder(shared, "mine")
        await settle()
        return third.has_it

    assert asyncio.run(walk())


def test_who_leaves_while_waiting_takes_no_slot_along():
    async def walk():
        shared = shares(1)
        first, second, third = (Holder(shared, "mine") for _ in range(3))
        await settle()
        second.task.cancel()
        await settle()
        await first.let_go()
        return third.has_it

    assert asyncio.run(walk())


def test_more_than_a_part_is_a_part():
    async def walk():
        holder = Holder(shares(8), "mine", amount=100)
        await settle()
        return holder.has_it

    assert asyncio.run(walk())

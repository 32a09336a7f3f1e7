"""The clock of the whole engine jumps during deliveries. Real processes throughout."""

from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.deliveries.conftest import Receiver, answers
from tests.faults.conftest import Outbox
from tests.faults.test_deliveries import assert_same_bytes, slowly, times_sent
from tests.processes.conftest import Engine, until

pytestmark = pytest.mark.processes
SHIFTED = Path(__file__).parent / "shifted"
HOUR = 3_600
START = 2 * HOUR  # later than the license was minted, also after a jump back


@pytest.fixture
def clock(tmp_path: Path) -> Path:
    """Return the file with the seconds that the engine's clock is ahead of ours."""
    file = tmp_path / "clock"
    file.write_text(str(START))
    return file


@pytest.fixture
def more(clock: Path) -> dict[str, str]:
    """Return the environment in which every process of the engine has the clock of the file."""
    return {"PYTHONPATH": str(SHIFTED), "CLOCK_FILE": str(clock)}


def jump(clock: Path, seconds: int) -> None:
    """Set the clock atomically: a reader sees the former time or the new one."""
    new = clock.with_suffix(".new")
    new.write_text(str(seconds))
    new.replace(clock)


def times_made(outbox: Outbox) -> dict[str, datetime]:
    made = {delivery["id"]: delivery["createdAt"] for delivery in outbox.deliveries()}
    return {delivery_id: datetime.fromisoformat(text) for delivery_id, text in made.items()}


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_that_jumps_and_comes_back_loses_nothing_and_sends_nothing_twice(
    engine: Engine, clock: Path, make_host, hours
):
    refused: list[str] = []

    def refuses(call: Receiver) -> None:
        refused.append(call.headers["x-import-delivery-id"])
        answers(503)(call)

    host = make_host(refuses, slowly)  # not always the first to be received whole
    outbox = Outbox(engine, host.url)
    outbox.fill(60)
    until(lambda: len(host.received) > 5, "some are sent")

    jump(clock, START + hours * HOUR)
    outbox.fill(40)  # due by the clock as it is now
    until(lambda: set(outbox.ids[60:]) <= set(times_sent(host)), "the later ones are sent")
    until(lambda: set(outbox.ids[60:]) <= outbox.in_state("delivered"), "and known to be")
    jump(clock, START)
    outbox.until_all_are("delivered")

    made = times_made(outbox)
    assert times_sent(host) == Counter([*outbox.ids, *refused])
    assert_same_bytes(host)
    assert abs(made[outbox.ids[60]] - made[outbox.ids[59]]) > timedelta(minutes=50)

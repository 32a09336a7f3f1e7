"""The embedded broker delivers whole messages, each once, whatever is killed meanwhile."""

import json
import multiprocessing
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection

import importengine.processes.transport
from importengine.processes.transport import Channel

PROCESSES, EACH = 4, 200


def connected(folder: Path) -> Connection:
    for name in ("queue", "control"):
        (folder / name).mkdir(exist_ok=True)
    places = {"data_folder_in": folder / "queue", "data_folder_out": folder / "queue"}
    options = {name: str(place) for name, place in places.items()}
    options["control_folder"] = str(folder / "control")
    return Connection("files://localhost/", transport_options=options)


@pytest.fixture
def channel(tmp_path) -> Channel:
    with connected(tmp_path) as connection:
        yield connection.default_channel


def put(channel: Channel, number: int) -> None:
    channel._put("imports", {"number": number})


def test_messages_come_in_the_order_they_were_sent_and_once(channel):
    for number in range(5):
        put(channel, number)

    taken = [channel._get("imports")["number"] for _ in range(5)]

    assert taken == [0, 1, 2, 3, 4]
    with pytest.raises(Empty):
        channel._get("imports")


def test_a_queue_gets_its_own_messages_only(channel):
    put(channel, 1)

    with pytest.raises(Empty):
        channel._get("deliveries")
    assert channel._size("imports") == 1


def test_a_message_that_cannot_be_read_is_stepped_over(channel, tmp_path):
    (tmp_path / "queue" / f"{0:020}_torn.imports.msg").write_text('{"number": ')
    put(channel, 1)

    assert channel._get("imports") == {"number": 1}
    assert list((tmp_path / "queue").iterdir()) == []


def test_a_message_has_no_name_until_it_is_whole(channel, tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "rename", lambda part, file: None)  # killed before it
    put(channel, 1)
    monkeypatch.undo()

    with pytest.raises(Empty):
        channel._get("imports")
    monkeypatch.setattr(importengine.processes.transport, "ABANDONED_S", -1)
    with pytest.raises(Empty):
        channel._get("imports")
    assert list((tmp_path / "queue").iterdir()) == []


def test_what_another_process_took_is_passed_by(channel, tmp_path):
    put(channel, 1)
    put(channel, 2)
    with connected(tmp_path) as other:
        assert channel._get("imports") == {"number": 1}  # both are listed now
        assert other.default_channel._get("imports") == {"number": 2}

    with pytest.raises(Empty):
        channel._get("imports")


def test_a_table_of_queues_that_was_torn_is_written_again(channel, tmp_path):
    (tmp_path / "control" / "imports.exchange").write_text("")

    assert channel.get_table("imports") == []
    channel._queue_bind("imports", "imports", "", "imports")
    assert [bound.queue for bound in channel.get_table("imports")] == ["imports"]


def _send(folder: Path, first: int) -> None:
    with connected(folder) as connection:
        channel = connection.default_channel
        channel._queue_bind("imports", "imports", "", "imports")
        for number in range(first, first + EACH):
            put(channel, number)


def _take(folder: Path, kept: Path) -> None:
    with connected(folder) as connection, kept.open("w") as file:
        while (number := _next(connection.default_channel)) is not None:
            file.write(f"{number}\n")


def _next(channel: Channel) -> int | None:
    """Take messages until the final one; every taker puts it back for the others."""
    while True:
        try:
            number = channel._get("imports")["number"]
        except Empty:
            continue
        if number >= 0:
            return number
        put(channel, -1)
        return None


def test_wake_ups_of_four_processes_arrive_whole_and_once(tmp_path):
    (tmp_path / "broker").mkdir()
    spawn = multiprocessing.get_context("spawn")
    folder = tmp_path / "broker"
    senders = [
        spawn.Process(target=_send, args=(folder, EACH * number)) for number in range(PROCESSES)
    ]
    takers = [
        spawn.Process(target=_take, args=(folder, tmp_path / f"taken-{number}"))
        for number in range(2)
    ]
    for process in [*takers, *senders]:
        process.start()
    for process in senders:
        process.join()
    with connected(folder) as connection:
        put(connection.default_channel, -1)
    for process in takers:
        process.join()

    assert {process.exitcode for process in [*senders, *takers]} == {0}
    taken = [int(n) for i in range(2) for n in (tmp_path / f"taken-{i}").read_text().split()]
    assert sorted(taken) == list(range(PROCESSES * EACH))
    assert json.loads((folder / "control" / "imports.exchange").read_text())

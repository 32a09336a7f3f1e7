"""The embedded broker delivers whole messages, each once, whatever is killed meanwhile."""

import json
import multiprocessing
import threading
import time
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection, Consumer, Exchange, Queue

import importengine.processes.transport
from importengine.processes import transport
from importengine.processes.transport import Channel, Transport

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


@pytest.fixture
def received(tmp_path):
    """Yield a connection that consumes a queue one by one, and the messages that it received."""
    messages = []
    Transport.global_state.clear()  # it knows the queues of other folders
    with connected(tmp_path) as connection:
        channel = connection.channel()
        queue = Queue("imports", Exchange("imports"), "imports")
        with Consumer(channel, queue, callbacks=[lambda body, message: messages.append(message)]):
            channel.basic_qos(0, 1, False)
            yield connection, messages


def send(connection: Connection, number: int) -> None:
    connection.Producer().publish({"number": number}, exchange="imports", routing_key="imports")


def test_a_worker_without_messages_looks_for_them_twice(received, monkeypatch):
    connection, _ = received
    looks = []
    listed = transport._messages
    monkeypatch.setattr(
        transport,
        "_messages",
        lambda *about: looks.append(about) or listed(*about),
    )

    with pytest.raises(TimeoutError):
        connection.drain_events(timeout=0.5)

    assert len(looks) <= 3  # before and after it began to listen, and at the end


def test_a_message_wakes_a_worker_that_waits(received, tmp_path, monkeypatch):
    monkeypatch.setattr(transport, "LONGEST_S", 600.0)
    connection, messages = received
    with pytest.raises(TimeoutError):
        connection.drain_events(timeout=0.01)
    waiting = threading.Thread(target=connection.drain_events, kwargs={"timeout": 600})
    waiting.daemon = True
    waiting.start()

    with connected(tmp_path) as other:
        send(other, 1)
    waiting.join(timeout=60)

    assert [message.payload for message in messages] == [{"number": 1}]


def test_a_worker_takes_the_next_message_once_the_last_is_done(received, monkeypatch):
    monkeypatch.setattr(transport, "LONGEST_S", 600.0)
    connection, messages = received
    for number in range(2):
        send(connection, number)
    connection.drain_events(timeout=10)
    with pytest.raises(TimeoutError):  # it may have one at a time
        connection.drain_events(timeout=0.01)
    threading.Timer(0.1, messages[0].ack).start()

    connection.drain_events(timeout=600)

    assert [message.payload["number"] for message in messages] == [0, 1]


def test_without_inotify_a_folder_is_looked_at_every_so_often(tmp_path, monkeypatch):
    monkeypatch.setattr(transport, "_events_of", lambda folder: None)
    slept = []
    monkeypatch.setattr(time, "sleep", slept.append)
    waiting = transport.Arrivals(tmp_path, every_s=0.05)

    waiting.wait(10.0)
    waiting.wait(0.01)
    waiting.close()

    assert slept == [0.05, 0.01]

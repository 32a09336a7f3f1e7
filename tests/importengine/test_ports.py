"""An engine does not start on the port of another program."""

import socket

import pytest
from django.core.management import CommandError, call_command

from importengine.processes import ports

HOST = "127.0.0.1"


@pytest.fixture(params=[False, True], ids=["alone", "shared"])
def listener(request):
    """Listen as most programs do, or as the web processes of an engine: their port is shared."""
    with socket.socket() as it:
        if request.param:
            it.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        it.bind((HOST, 0))
        it.listen()
        yield it


def port_of(listener: socket.socket) -> int:
    return listener.getsockname()[1]


def test_an_engine_names_a_port_in_use_instead_of_starting(listener, engine_with_key, monkeypatch):
    monkeypatch.setattr("importengine.processes.ports.GRACE_S", 0.0)
    monkeypatch.setattr(
        "importengine.management.commands.serve.Supervisor", lambda *_, **__: pytest.fail("started")
    )

    with pytest.raises(CommandError, match=f"Port {port_of(listener)} is in use"):
        call_command("serve", host=HOST, port=port_of(listener))


def test_a_port_that_no_program_has_is_free(listener):
    port = port_of(listener)
    listener.close()

    assert not ports.is_in_use(HOST, port)


def test_an_engine_waits_for_one_that_is_being_stopped(listener, monkeypatch):
    monkeypatch.setattr("importengine.processes.ports.time.sleep", lambda _: listener.close())

    assert ports.becomes_free(HOST, port_of(listener))


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6")
def test_a_port_of_the_other_protocol_is_looked_at():
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as listener:
        assert ports.is_in_use("::1", port_of(listener))

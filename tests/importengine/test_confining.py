"""A worker logs what it lacks to confine steps; a strict one does not start."""

import logging

import pytest

from importengine.processes import confinement


@pytest.fixture
def lacking(monkeypatch):
    monkeypatch.setattr("tabular.job.isolation.missing", lambda: ["landlock", "seccomp"])


def test_a_worker_names_what_is_missing_as_an_error(lacking, caplog):
    confinement.begin(sender=None)

    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "without landlock and seccomp" in caplog.text


def test_a_strict_worker_does_not_start_unconfined(lacking, settings):
    settings.SANDBOX = "strict"

    with pytest.raises(SystemExit, match="strict"):
        confinement.begin(sender=None)


@pytest.mark.parametrize(("sandbox", "level"), [("available", "WARNING"), ("strict", "ERROR")])
def test_a_check_of_the_machine_says_it_too(lacking, settings, sandbox, level):
    settings.SANDBOX = sandbox
    [message] = confinement.check_confinement(None)

    assert logging.getLevelName(message.level) == level


def test_a_machine_that_confines_has_nothing_to_say(monkeypatch, caplog):
    monkeypatch.setattr("tabular.job.isolation.missing", list)
    confinement.begin(sender=None)

    assert (confinement.check_confinement(None), caplog.records) == ([], [])

"""Log lines as JSON: what a line has, and that every line of real programs is one object."""

import contextlib
import json
import logging
import re
import time
import traceback

import pytest
import requests
from django.test import Client

from common.logs import context
from common.logs.lines import JsonLine, PlainText
from common.work.life import _ids
from importengine.processes import task_logs
from tests.web.walks.engine import Engine

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACEPARENT = f"00-{TRACE}-00f067aa0ba902b7-01"
FILE = "Order number,Customer,Ordered on,Article,Quantity,Unit price,Status\n" + (
    "A-1,Ada Cell,2026-02-03,LX-100,2,19.90,open\n"
)


def line(message: str = "text", **about) -> dict:
    record = logging.LogRecord("life", logging.INFO, "", 0, message, (), None)
    record.__dict__.update(about)
    return json.loads(JsonLine().format(record))


def test_a_line_has_the_ids_of_its_work_and_no_empty_ones():
    with context.about({"request": "req_1", "trace": ""}):
        context.add(tenant="tnt_1")
        members = line("two\nlines", about={"import": "rec_1"})

    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", members.pop("at"))
    assert members == {
        "level": "INFO",
        "logger": "life",
        "message": "two\nlines",
        "request": "req_1",
        "tenant": "tnt_1",
        "import": "rec_1",
    }
    assert "request" not in line()


def test_a_change_of_state_names_its_object_its_import_and_its_tenant():
    about = {"tenant": "tnt_1", "import": "rec_1", "rows": 3}

    assert _ids("dlv_1", about) == {"delivery": "dlv_1", "import": "rec_1", "tenant": "tnt_1"}
    assert _ids("rec_1", {"tenant": "tnt_1"}) == {"import": "rec_1", "tenant": "tnt_1"}


def test_a_task_has_the_ids_of_the_call_that_caused_it():
    headers: dict = {}
    with context.about({"request": "req_1", "trace": TRACE, "address": "192.0.2.1"}):
        task_logs.pass_on(headers=headers)

    class Task:
        request = type("Request", (), headers)

    task_logs.begin(task=Task, task_id="t1")
    during = dict(context.current())
    task_logs.end()

    assert during == {"task": "t1", "request": "req_1", "trace": TRACE}
    assert dict(context.current()) == {}


def test_what_python_prints_itself_is_logged_line_by_line():
    lines: list[str] = []

    with contextlib.redirect_stderr(PlainText(lines.append)):  # type: ignore[type-var]  # a stream
        try:
            int("no number")
        except ValueError:
            traceback.print_exc()

    assert lines[0] == "Traceback (most recent call last):"
    assert lines[-1].startswith("ValueError: ")


def test_a_log_that_cannot_be_written_does_not_log_that_without_end():
    class Full(logging.Handler):
        def emit(self, record):
            try:
                raise OSError("no space left")
            except OSError:
                self.handleError(record)  # prints a traceback to stderr

    logger = logging.Logger("stderr")
    logger.addHandler(Full())

    with contextlib.redirect_stderr(PlainText(logger.error)) as stream:  # type: ignore[type-var]  # a stream
        logger.error("a line")
        assert stream.write("one more\n") == 9


@pytest.mark.parametrize(
    ("sent", "is_kept"),
    [("client-chosen-1", True), ("short", False), ("with space in it", False), ("x" * 65, False)],
)
def test_an_answer_has_the_id_of_its_call(sent, is_kept):
    answer = Client().get("/nowhere", headers={"x-request-id": sent})

    assert (answer.headers["X-Request-Id"] == sent) == is_kept
    assert re.fullmatch(r"[A-Za-z0-9_.:-]{8,64}", answer.headers["X-Request-Id"])


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """Run an engine that logs as JSON."""
    engine = Engine(tmp_path_factory.mktemp("engine"))
    engine._environment |= {"IMPORT_LOG_FORMAT": "json"}
    try:
        engine.start()
        yield engine
    finally:
        engine.stop()


@pytest.mark.processes
def test_every_line_of_every_program_is_one_object_with_the_ids(engine):
    sent = {"Authorization": f"Bearer {engine.key}", "X-Request-Id": "walk-of-logs-1"}
    body = {"text": FILE, "catalogKey": "orders", "autoMap": True}
    answer = requests.post(
        f"{engine.origin}/api/import/v1/imports",
        json=body,
        headers={**sent, "traceparent": TRACEPARENT},
        timeout=60,
    )
    record_id = answer.json()["recordId"]
    assert answer.headers["X-Request-Id"] == "walk-of-logs-1"

    lines = until(engine, lambda shown: any(" -> review " in item["message"] for item in shown))

    of_import = [item for item in lines if item.get("import") == record_id]
    for item in of_import:  # of the web process, then of the worker that the call woke
        assert (item["request"], item["trace"]) == ("walk-of-logs-1", TRACE)
    assert all(item["tenant"] == "tnt_demo" for item in of_import)
    by_worker = next(item for item in of_import if " -> review " in item["message"])
    assert by_worker["task"]
    assert {"_granian", "serve"} <= {item["logger"] for item in lines}
    text = json.dumps(lines)
    assert "127.0.0.1" not in json.dumps(of_import)
    assert "Ada Cell" not in text


def until(engine: Engine, is_there) -> list[dict]:
    """Return the lines of the log once they have what is waited for; fail after a minute."""
    path, end = engine.folder / "serve.log", time.monotonic() + 90
    while True:
        text = path.read_text("utf-8").rpartition("\n")[0]  # the last line may still be written
        assert all(item.startswith("{") for item in text.splitlines() if item), text
        lines = [json.loads(item) for item in text.splitlines() if item]
        if is_there(lines):
            return lines
        assert time.monotonic() < end, lines
        time.sleep(0.2)

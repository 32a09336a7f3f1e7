"""What a view answers reaches the server: whole if it is small, in pieces if it is not."""

import asyncio

import pytest

from importengine.web import whole_answers
from importengine.web.whole_answers import Threads


def messages_of(pieces, *, length):
    """Return what a server gets from an application that answers in pieces."""

    def answering(environ, start_response):
        headers = [("Content-Length", str(length))] if length is not None else []
        start_response("200 OK", [*headers, ("X-Path", environ["PATH_INFO"])])
        yield from pieces

    async def call():
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/a",
            "query_string": b"",
            "http_version": "1.1",
            "headers": [],
        }
        sent = []

        async def send(message):
            sent.append(dict(message))

        async def receive():
            return {"type": "http.request", "body": b"", "more_body": False}

        await Threads(answering, workers=1)(scope, receive, send)
        return sent

    return asyncio.run(call())


@pytest.mark.parametrize("pieces", [[b"abcdef"], [b"abc", b"", b"def"], []])
def test_a_small_answer_is_one_message_after_its_head(pieces):
    body = b"".join(pieces)

    head, content = messages_of(pieces, length=len(body))

    assert (head["status"], dict(head["headers"])[b"x-path"]) == (200, b"/a")
    assert content == {"type": "http.response.body", "body": body}


@pytest.mark.parametrize("length", [None, 6])
def test_a_long_answer_and_one_of_unknown_length_go_piece_by_piece(monkeypatch, length):
    monkeypatch.setattr(whole_answers, "SMALL", 5)

    _, *content = messages_of([b"abc", b"def"], length=length)

    assert [(piece["body"], piece.get("more_body", False)) for piece in content] == [
        (b"abc", True),
        (b"def", True),
        (b"", False),
    ]


def test_a_view_that_fails_on_its_way_is_an_error_and_no_answer():
    def failing():
        yield b"abc"
        raise ArithmeticError

    with pytest.raises(ArithmeticError):
        messages_of(failing(), length=6)

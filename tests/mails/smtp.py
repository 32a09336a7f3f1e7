"""A mail server of the tests: it speaks SMTP on a port of this machine and keeps what it takes."""

import asyncio
import threading
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.smtp import SMTP

OK = "250 taken"


@dataclass
class MailServer:
    """``answers`` says what it answers to a mail; without an answer, it takes the mail."""

    port: int = 0
    answers: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)  # answers by recipient
    received: list[tuple[list[str], EmailMessage]] = field(default_factory=list)

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802 (aiosmtpd's name)
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return OK

    async def handle_DATA(self, server, session, envelope):  # noqa: N802 (aiosmtpd's name)
        answer = self.answers.pop(0) if self.answers else OK
        if answer == OK:
            message = message_from_bytes(envelope.content, policy=policy.default)
            self.received.append((envelope.rcpt_tos, message))
        return answer

    @property
    def messages(self) -> list[EmailMessage]:
        return [message for _, message in self.received]


class Running:
    """A mail server in a thread, until ``stop``."""

    def __init__(self) -> None:
        self.mails = MailServer()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()  # the test's thread may have a loop that runs: that of a browser
        coroutine = self._loop.create_server(lambda: SMTP(self.mails), "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()
        self.mails.port = self._server.sockets[0].getsockname()[1]

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._server.close()
        self._loop.close()


def text_of(message: EmailMessage, kind: str = "plain") -> str:
    """Return the text of a mail, or its HTML."""
    return message.get_body(preferencelist=(kind,)).get_content()

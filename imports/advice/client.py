"""
The call of a model: one guarded POST in the form that OpenAI made common.

Whatever goes wrong, there is no answer, and the import goes on without. A model that did not answer
is left alone for a minute, so that a dead one costs each import nothing.
"""

import json
import logging
import time
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.conf import settings

from deliveries.http.client import Answer, Client
from deliveries.http.connections import Exchange, TlsSettings
from deliveries.http.guard import Network
from deliveries.http.request import Request
from pipeline.advice.prompt import MOST_ANSWER, Prompt

DEADLINE_S = 20.0
PAUSE_S = 60.0
MOST_TOKENS = 2_000
logger = logging.getLogger(__name__)


@dataclass(slots=True)
class ModelClient:
    """One model at one address; it remembers for a minute that the model did not answer."""

    url: str
    name: str
    key: str = field(repr=False)
    networks: tuple[Network, ...] = ()
    ports: tuple[int, ...] = ()
    _client: Client = field(init=False)
    _quiet_until: float = field(init=False, default=0.0)  # monotonic

    def __post_init__(self) -> None:
        """Prepare the connections."""
        tls = TlsSettings(settings.WEBHOOK_CA_FILE)
        self._client = Client(networks=self.networks, tls=tls, ports=self.ports)

    def ask(self, prompt: Prompt) -> str | None:
        """Return what the model answers, or None if it does not."""
        if time.monotonic() < self._quiet_until:
            return None
        exchange = Exchange(networks=self.networks, timeout_s=DEADLINE_S, ports=self.ports)
        answer = self._client.send(self._request(prompt), exchange=exchange)
        content = _content(answer)
        if content is None:
            self._quiet_until = time.monotonic() + PAUSE_S
            why = answer.error_class or f"HTTP {answer.http_status}"
            logger.warning("the model %s did not answer: %s", self.name, why)
        return content

    def _request(self, prompt: Prompt) -> Request:
        document = {
            "model": self.name,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            "temperature": 0,
            "max_tokens": MOST_TOKENS,
            "stream": False,
        }
        body = json.dumps(document, ensure_ascii=False).encode()
        headers = {
            "content-type": "application/json",
            "content-length": str(len(body)),
            "user-agent": "import-engine",
        }
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        return Request(f"{self.url}/chat/completions", headers, body)


def _content(answer: Answer) -> str | None:
    """Return the text of the first choice of an answer, or None if it is not one."""
    if answer.http_status != 200:
        return None
    try:
        document: Any = json.loads(answer.content)
        content = document["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    if not isinstance(content, str):
        return None
    return content[:MOST_ANSWER].replace("\x00", "")


def the_model() -> ModelClient | None:
    """Return the model that the operator named, or None."""
    if not settings.MODEL_URL:
        return None
    return _client_of(
        settings.MODEL_URL,
        settings.MODEL_NAME,
        settings.MODEL_KEY,
        tuple(settings.MODEL_ALLOW_NETWORKS),
        tuple(settings.WEBHOOK_PORTS),
    )


@lru_cache(maxsize=4)
def _client_of(
    url: str, name: str, key: str, networks: tuple[Network, ...], ports: tuple[int, ...]
) -> ModelClient:
    return ModelClient(url, name, key, networks, ports)

"""An agent that calls tools, in this process or over HTTP."""

import json

import pytest
from jsonschema import Draft202012Validator

from agents.call import Answer, call
from agents.registry import BY_NAME
from agents.schemas import schema_of
from agents.sessions import of_process
from common import clock
from licensing import services as licensing
from tests.imports.conftest import client, owner, publish, upload

__all__ = ["client", "owner", "publish", "upload"]  # fixtures

MCP = "/api/import/v1/mcp"
ENTITLED = {"plan": "enterprise", "entitlements": ("agentAccess",)}
HEADERS = {
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
}


class Refused(AssertionError):
    """A tool answered with an error."""


class Agent:
    """Calls tools like a separate process, and checks each answer against its schema."""

    def __init__(self, key: str, *, files=None, import_token: str = "") -> None:
        caller, _ = licensing.accept_key(key=key, at=clock.now(), import_token=import_token)
        self.session = of_process(caller, files=files)

    def __call__(self, name: str, **arguments) -> dict:
        answer = self.answer(name, **arguments)
        if answer.is_error:
            raise Refused(answer.text)
        return self.checked(name, answer)

    def answer(self, name: str, **arguments) -> Answer:
        return call(self.session, name, arguments)

    def checked(self, name: str, answer: Answer) -> dict:
        """Return the result of a tool after checking it against the tool's schema."""
        Draft202012Validator(schema_of(BY_NAME[name].gives, "response")).validate(answer.structured)
        return answer.structured

    def refusal(self, name: str, **arguments) -> dict:
        answer = call(self.session, name, arguments)
        assert answer.is_error, answer.text
        return json.loads(answer.text)


@pytest.fixture
def make_agent(owner, mint_key):
    def make(tenant: str = "tnt_owner", *, files=None, import_token: str = "", **about) -> Agent:
        return Agent(mint_key(tenant, **about), files=files, import_token=import_token)

    return make


@pytest.fixture
def agent(make_agent) -> Agent:
    """Return an agent that may answer and apply."""
    return make_agent(**ENTITLED)


@pytest.fixture
def reader(make_agent) -> Agent:
    """Return an agent whose license has no entitlement."""
    return make_agent()

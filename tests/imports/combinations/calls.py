"""Calls of the API and of an agent's tools for one import; none may fail by our fault."""

import json
from collections import Counter
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from tests.agents.conftest import Agent
from tests.imports.combinations.catalogs import Case
from workflow.worker import advance

V1 = "/api/import/v1"
DEFECT = "not_checked"
MANY = 500
OF_US = {"internal_error", "dry_run_broken"}


@dataclass(frozen=True)
class Callers:
    """The callers: a program over HTTP, and an agent with its tools."""

    client: object
    agent: Agent
    reached: Counter = field(default_factory=Counter)  # how many walks came to each stage


class Calls:
    """Makes calls and uses tools, and runs the worker between them."""

    def __init__(self, callers: Callers, case: Case, data: st.DataObject) -> None:
        self._callers, self.case, self._data = callers, case, data
        self.url, self.revision = "", 0

    def draw(self, values):
        return self._data.draw(values)

    def maybe(self) -> bool:
        return self.draw(st.booleans())

    def reach(self, stage: str) -> None:
        """Count that this walk reached a stage."""
        self._callers.reached[stage] += 1

    @property
    def record_id(self) -> str:
        return self.url.rpartition("/")[2]

    def call(self, method, path, body=None, *, expect=None, **more):
        """Call a path; one with a leading slash is below the import."""
        address = f"{self.url}{path}" if path.startswith("/") or not path else f"{V1}/{path}"
        more = more or ({} if body is None else {"data": body, "format": "json"})
        answer = getattr(self._callers.client, method)(address, **more)
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert answer.status_code < 500, (method, path, body, content)
        assert expect is None or answer.status_code == expect, (method, path, body, content)
        is_json = answer.get("content-type") in {"application/json", "application/problem+json"}
        return json.loads(content) if is_json else content

    def tool(self, name: str, **arguments):
        """Call a tool, which answers in its schema, or refuses because of the caller's input."""
        agent = self._callers.agent
        agent.session = replace(agent.session, wait_for=self._worked)
        answer = agent.answer(name, **arguments)
        if answer.is_error:
            refused = json.loads(answer.text)
            assert refused["code"] not in OF_US, (name, arguments, refused)
            return refused
        return agent.checked(name, answer)

    def _worked(self, read):
        if read().is_worked_on:
            advance(self.record_id)
        return read()

    def work(self):
        """Run the worker; return the import, in review or applied, without an internal error."""
        advance(self.record_id)
        record = self.call("get", "", expect=200)
        assert DEFECT not in record["counts"].get("byCode", {}), "the engine could not read a field"
        return record

    def rows(self, **view):
        """Return the rows of a view; record their revision."""
        body = {"view": view, "limit": MANY}
        page = self.call("post", "/rows/query", body, expect=200)
        self.revision = page["revision"]
        return page["rows"]

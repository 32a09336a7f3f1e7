"""One call of a tool: permission, arguments, and an answer within the limits."""

import json
import logging
from dataclasses import dataclass
from typing import Any

from agents.bounds import Json, written
from agents.refusals import failure, refusal
from agents.registry import BY_NAME, Tool
from agents.sessions import Session
from common.characters import storable
from common.http.language import localized
from common.http.problems import as_service_error
from licensing.rights.checker import check_operation

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a tool: JSON as text, and whether it is an error."""

    text: str
    is_error: bool = False

    @property
    def structured(self) -> Json | None:
        """The answer, which follows the tool's output schema; None for an error."""
        return None if self.is_error else json.loads(self.text)


class UnknownTool(LookupError):
    """There is no such tool."""


def call(session: Session, name: str, arguments: Json) -> Answer:
    """Call a tool. Raise UnknownTool; every other error becomes an answer an agent can act on."""
    tool = BY_NAME.get(name)
    if tool is None:
        raise UnknownTool(name)
    session.begin()
    try:
        return Answer(written(_done(tool, session, arguments), tool.paged))
    except Exception as error:  # noqa: BLE001 - agents see our bugs too, and they are logged
        return _refused(tool, error)


def _done(tool: Tool, session: Session, arguments: Json) -> Json:
    check_operation(session.caller, tool.operation)
    params = tool.takes(data=storable(arguments))
    params.is_valid(raise_exception=True)
    answer = tool.work(session, dict(params.validated_data))
    return {**answer, "nextStep": localized(answer["nextStep"])} if "nextStep" in answer else answer


def _refused(tool: Tool, error: Exception) -> Answer:
    service_error = as_service_error(error)
    if service_error is None:
        logger.exception("unexpected error in the tool %s", tool.name, exc_info=error)
    problem: dict[str, Any] = failure() if service_error is None else refusal(service_error)
    return Answer(json.dumps(problem, ensure_ascii=False, default=str), is_error=True)

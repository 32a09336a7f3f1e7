"""Open a client with a license key; what the engine refuses is raised."""

from typing import Any

import httpx

from import_engine.generated.client import AuthenticatedClient as Engine

TIMEOUT_S = 60.0
PROBLEM = "application/problem+json"


class EngineRefused(Exception):
    """
    The engine refused a call.

    ``code`` is stable, ``detail`` is for people, and ``problem`` is everything it said (RFC 9457).
    """

    def __init__(self, status: int, problem: dict[str, Any], retry_after_s: int | None) -> None:
        self.status = status
        self.problem = problem
        self.code = str(problem.get("code", ""))
        self.detail = str(problem.get("detail", ""))
        self.retry_after_s = retry_after_s
        super().__init__(f"{status} {self.code}: {self.detail}")


def connect(base_url: str, license_key: str, *, timeout_s: float = TIMEOUT_S) -> Engine:
    """
    Return a client for the functions in ``import_engine.api``, with and without asyncio.

    It raises EngineRefused where the engine answers with a problem.
    """
    engine = Engine(base_url=base_url.rstrip("/"), token=license_key)
    shared: dict[str, Any] = {
        "base_url": base_url.rstrip("/"),
        "headers": {"Authorization": f"Bearer {license_key}"},
        "timeout": timeout_s,
    }
    engine.set_httpx_client(httpx.Client(**shared, event_hooks={"response": [_refuse]}))
    hooks = {"response": [_refuse_async]}
    engine.set_async_httpx_client(httpx.AsyncClient(**shared, event_hooks=hooks))
    return engine


def _refuse(response: httpx.Response) -> None:
    if response.is_error:
        response.read()
        raise _refusal(response)


async def _refuse_async(response: httpx.Response) -> None:
    if response.is_error:
        await response.aread()
        raise _refusal(response)


def _refusal(response: httpx.Response) -> EngineRefused:
    kind = response.headers.get("content-type", "").split(";")[0]
    problem = response.json() if kind == PROBLEM else {"detail": response.text[:500]}
    wait = response.headers.get("retry-after", "")
    return EngineRefused(response.status_code, problem, int(wait) if wait.isdecimal() else None)

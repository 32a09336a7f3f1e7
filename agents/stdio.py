"""The tools over stdin and stdout, for a client that starts this process. Spec: Stdio transport."""

import asyncio
from dataclasses import replace

from django.db import close_old_connections

from agents.server import current, server
from agents.sessions import Session


def serve(session: Session) -> None:
    """Serve one client until it closes stdin; stdout contains only the protocol."""
    current.set(replace(session, begin=close_old_connections))  # it may be idle for hours
    asyncio.run(_serve())


async def _serve() -> None:
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (read, write):
        await server().run(read, write, server().create_initialization_options())

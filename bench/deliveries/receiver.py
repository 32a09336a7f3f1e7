"""A fast host on this machine: ``python -m bench.deliveries.receiver PORT`` answers 200 to all."""

import asyncio
import re
import sys
from contextlib import suppress

LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok"
LARGEST_HEAD = 1 << 20
PART = 1 << 20


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Read request after request of one connection, with their bodies, and answer each."""
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            if b"transfer-encoding: chunked" in head.lower():
                await _skip_chunks(reader)
            elif length := LENGTH.search(head):
                await _skip(reader, int(length[1]))
            writer.write(ANSWER)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass  # the engine closed the connection
    finally:
        writer.close()


async def _skip(reader: asyncio.StreamReader, size: int) -> None:
    while size > 0:
        part = await reader.read(min(size, PART))
        if not part:
            raise asyncio.IncompleteReadError(b"", size)
        size -= len(part)


async def _skip_chunks(reader: asyncio.StreamReader) -> None:
    while True:
        size = int((await reader.readline()).split(b";")[0], 16)
        await _skip(reader, size)
        await reader.readline()
        if not size:
            return


async def main(port: int) -> None:
    """Serve until the process is stopped."""
    server = await asyncio.start_server(answer, "127.0.0.1", port, limit=LARGEST_HEAD)
    await server.serve_forever()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):  # it ends with what is measured
        asyncio.run(main(int(sys.argv[1])))

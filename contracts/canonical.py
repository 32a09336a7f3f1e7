"""The canonical form (RFC 8785), the content id, and the strict reading of what was signed."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

import rfc8785

from tabular.model import i_json

BOUNDS = i_json.Bounds(max_bytes=16 * 1024**2, max_depth=80, max_parts=1_000_000)
ID = "id"
TOKEN = re.compile(
    r'"(?P<string>[^"\\]*(?:\\.[^"\\]*)*)"|(?P<number>-?[0-9][0-9.eE+-]*)', re.DOTALL
)


def canonical(value: Any) -> bytes:
    """
    Write JSON in its canonical form; ValueError for what is no I-JSON.

    >>> canonical({"b": 1.0, "a": ["é", 1e21]})
    b'{"a":["\\xc3\\xa9",1e+21],"b":1}'
    """
    return bytes(rfc8785.dumps(value))


def content_id(contract: Mapping[str, Any]) -> str:
    """Give ``sha256:`` and the hash of the canonical contract without its ``id``."""
    content = {name: value for name, value in contract.items() if name != ID}
    return f"sha256:{hashlib.sha256(canonical(content)).hexdigest()}"


def read_strictly(text: bytes) -> Any:
    """
    Read JSON that was signed: i_json.NotIJson for whatever two readers might take differently.

    Beyond I-JSON, a number has the fewest digits that give it back, escapes are written in small
    letters, and there is no byte order mark: no character of a value can change unseen.
    """
    if text.startswith(b"\xef\xbb\xbf"):
        raise i_json.NotIJson("It begins with a byte order mark.")
    document = i_json.read(text, bounds=BOUNDS)
    for token in _respelled(text.decode("utf-8")):
        raise i_json.NotIJson(f"{token[:40]} is not the one spelling of its value.")
    return document


def _respelled(text: str) -> Iterator[str]:
    for token in TOKEN.finditer(text):
        if token["string"] is not None:
            if found := _large_escape(token["string"]):
                yield found
        elif not _is_shortest(token["number"]):
            yield token["number"]


def _large_escape(string: str) -> str | None:
    escapes = re.findall(r"\\(?:u[0-9A-Fa-f]{4}|.)", string) if "\\" in string else []
    return next((one for one in escapes if one.startswith("\\u") and one != one.lower()), None)


def _is_shortest(digits: str) -> bool:
    if re.fullmatch(r"0|-?[1-9][0-9]*", digits):
        return True
    number = float(digits)
    return digits in {rfc8785.dumps(number).decode(), repr(number)} and digits != "-0.0"

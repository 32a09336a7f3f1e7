"""The canonical form (RFC 8785), the content id, and strict parsing of signed JSON."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import rfc8785

from tabular.model import i_json
from tabular.model.sentences import Sentence

BOUNDS = i_json.Bounds(max_bytes=8 * 1024**2, max_depth=80, max_parts=200_000)
ID = "id"
TOKEN = re.compile(
    r'"(?P<string>[^"\\]*(?:\\.[^"\\]*)*)"|(?P<number>-?[0-9][0-9.eE+-]*)', re.DOTALL
)
LARGE_ESCAPE = re.compile(r"\\u(?![0-9a-f]{4})[0-9A-Fa-f]{4}")


def canonical(value: Any) -> bytes:
    """
    Return JSON in its canonical form. Raise ValueError if it is not I-JSON.

    >>> canonical({"b": 1.0, "a": ["é", 1e21]})
    b'{"a":["\\xc3\\xa9",1e+21],"b":1}'
    """
    return bytes(rfc8785.dumps(value))


def content_id(contract: Mapping[str, Any]) -> str:
    """Return ``sha256:`` and the hash of the canonical contract without its ``id``."""
    content = {name: value for name, value in contract.items() if name != ID}
    return f"sha256:{hashlib.sha256(canonical(content)).hexdigest()}"


def read_strictly(text: bytes) -> Any:
    """
    Parse signed JSON. Raise i_json.NotIJson for whatever two parsers might read differently.

    Beyond I-JSON, a number has the fewest digits that round-trip, escapes use lower-case letters,
    and there is no byte order mark: no character of a value can change unnoticed.
    """
    if text.startswith(b"\xef\xbb\xbf"):
        raise i_json.NotIJson("It begins with a byte order mark.")
    document = i_json.read(text, bounds=BOUNDS)
    for token in _respelled(text.decode("utf-8")):
        raise i_json.NotIJson(
            Sentence("{text} is not the canonical form of its value.", text=token[:40])
        )
    return document


def _respelled(text: str) -> Iterator[str]:
    for token in TOKEN.finditer(text):
        if token["string"] is not None:
            if escape := _large_escape(token["string"]):
                yield escape
        elif not _is_shortest(token["number"]):
            yield token["number"]


def _large_escape(string: str) -> str | None:
    match = LARGE_ESCAPE.search(string.replace("\\\\", "")) if "\\u" in string else None
    return match and match.group()


def _is_shortest(digits: str) -> bool:
    if re.fullmatch(r"0|-?[1-9][0-9]*", digits):
        return True
    number = float(digits)
    if digits == repr(number):
        return digits != "-0.0"
    return digits == _written(number)


def _written(number: float) -> str:
    """Format a finite number as RFC 8785 does, ten times as fast."""
    text = repr(abs(number)) if number == 0 else repr(number)
    if "e" not in text:
        return text.removesuffix(".0")
    if 1e-6 <= abs(number) < 1e21:
        return f"{Decimal(text):f}"
    return re.sub(r"e([+-])0+", r"e\1", text)

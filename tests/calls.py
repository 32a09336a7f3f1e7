"""Random calls from the OpenAPI document: valid, extreme and invalid values."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = Any
WRONG: tuple[Json, ...] = (
    None, True, -1, 0, 2**31, 2**53, 2**63, 10**30, 1e308, -1e-320, "", " ", "x", "-1", "null",
    "é" * 3_000, "\u2028" * 3_000, "a\nb", "=1+1", "%00", "../..", "\ud800", "\0", [], {}, [[]],
    {"": 1},
)  # fmt: skip
DEEP, DEEPEST = 4, 90
OFTEN, SELDOM = 0.8, 0.03
MOST_BYTES = 900_000
FORM = "multipart/form-data"
RARE = (
    "cancel",
    "apply",
    "discard",
    "revert",
    "retire",
    "revoke",
    "rotate",
)  # end what other calls need


@dataclass(frozen=True)
class Call:
    """One call, as any client would send it."""

    method: str
    path: str
    query: dict[str, str | list[str]]
    headers: dict[str, str]
    body: bytes | None = None
    form: dict[str, str] | None = None

    @property
    def text(self) -> str:
        """Return the call in one line."""
        sent = self.body if self.form is None else repr(self.form).encode()
        return f"{self.method.upper()} {self.path} {str(self.query)[:300]} {(sent or b'')[:300]!r}"


class Drawing:
    """Draws calls. known: existing values, by the name of a parameter or a member."""

    def __init__(
        self,
        document: dict[str, Any],
        known: Mapping[str, Sequence[Json]],
        seed: int | str,
        *,
        swollen: float = SELDOM,
    ) -> None:
        """swollen: the share of bodies, from 0 to 1, that have the maximum size."""
        self._schemas = document["components"]["schemas"]
        self._operations = [
            (method, path, operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        ]
        self._weights = [
            0.1 if method == "delete" or path.endswith(RARE) else 1.0
            for method, path, _ in self._operations
        ]
        self._swollen_part = swollen
        self.known = known
        self._random = random.Random(seed)

    def calls(self, number: int) -> Iterator[Call]:
        """Yield drawn calls."""
        for _ in range(number):
            (drawn,) = self._random.choices(self._operations, self._weights)
            yield self.call(*drawn)

    def call(self, method: str, path: str, operation: dict[str, Any]) -> Call:
        """Return a drawn call of an operation."""
        query: dict[str, str | list[str]] = {}
        headers: dict[str, str] = {}
        for parameter in operation.get("parameters", ()):
            name, place = parameter["name"], parameter["in"]
            if place == "path":
                path = path.replace(f"{{{name}}}", self._in_path(name, parameter["schema"]))
            elif self._random.random() < 0.4:
                value = self._value(parameter["schema"], name)
                if place == "query":
                    query[name] = _text(value)
                else:
                    headers[name] = "".join(c for c in _text(value) if " " <= c <= "~")[:200]
        contents = operation.get("requestBody", {}).get("content", {})
        if not contents:
            return Call(method, path, query, headers)
        kind = self._random.choice(sorted(contents))
        if kind == FORM:
            return Call(method, path, query, headers, form=self._form(contents[kind]["schema"]))
        if kind != "application/json":
            return Call(method, path, query, headers, body=self._random.randbytes(20))
        return Call(method, path, query, headers, body=self._body(contents[kind]))

    def _in_path(self, name: str, schema: dict[str, Any]) -> str:
        value = _text(self._value(schema, name)) or "x"
        return "".join(c for c in value if c.isalnum() or c in "_.-")[:300] or "x"

    def _body(self, content: dict[str, Any]) -> bytes:
        chance = self._random.random()
        if chance < SELDOM:
            levels = self._random.choice((DEEPEST, 5_000))
            return b"[" * levels + b"]" * levels
        if chance < 2 * SELDOM:
            return self._random.choice((b"", b"{", b"\xff\xfe", b"null", b"[]", b"1e999", b"NaN"))
        is_example = "example" in content and self._random.random() < 0.3
        body = content["example"] if is_example else self._value(content["schema"], "")
        written = json.dumps(self._swollen(body)).encode()
        return written if len(written) <= MOST_BYTES else written[:MOST_BYTES]

    def _swollen(self, body: Json) -> Json:
        """Return a body with one of its lists repeated up to the maximum size of a body."""
        if not isinstance(body, dict) or self._random.random() > self._swollen_part:
            return body
        lists = [name for name, value in body.items() if isinstance(value, list) and value]
        if not lists:
            return {**body, **{f"n{number}": number for number in range(20_000)}}
        name = self._random.choice(lists)
        size = len(json.dumps(body[name])) + 1
        return {**body, name: body[name] * (MOST_BYTES // size // 2)}

    def _form(self, schema: dict[str, Any]) -> dict[str, str]:
        form = self._value(schema, "")
        form = form if isinstance(form, dict) else {"x": "1"}
        return {
            _encodable(name): _encodable(_text(value))
            for name, value in form.items()
            if name != "file"
        }

    def _value(self, schema: dict[str, Any], name: str, depth: int = 0) -> Json:
        draw = self._random
        if draw.random() < SELDOM:
            return draw.choice(WRONG)
        if name in self.known and draw.random() < OFTEN:
            return draw.choice(list(self.known[name]))
        if "$ref" in schema:
            return self._value(self._schemas[schema["$ref"].rpartition("/")[2]], name, depth)
        for choice in ("oneOf", "anyOf"):
            if choice in schema and "properties" not in schema:
                return self._value(draw.choice(schema[choice]), name, depth)
        if "allOf" in schema:
            return self._value(schema["allOf"][0], name, depth)
        if "enum" in schema or "const" in schema:
            return draw.choice(schema.get("enum", [schema.get("const")]))
        return self._typed(schema, name, depth)

    def _typed(self, schema: dict[str, Any], name: str, depth: int) -> Json:
        kinds = schema.get("type", "object" if "properties" in schema else "string")
        kind = self._random.choice(kinds) if isinstance(kinds, list) else kinds
        match kind:
            case "object":
                return self._object(schema, depth)
            case "array":
                most = min(schema.get("maxItems", 3), 3) if depth < DEEP else 0
                count = self._random.randint(min(schema.get("minItems", 0), most), most)
                return [self._value(schema.get("items", {}), name, depth + 1) for _ in range(count)]
            case "integer" | "number":
                return self._number(schema)
            case "boolean":
                return self._random.random() < 0.5
            case "null":
                return None
        return self._words(schema)

    def _object(self, schema: dict[str, Any], depth: int) -> Json:
        needed = schema.get("required", ())
        members = {
            name: self._value(item, name, depth + 1)
            for name, item in schema.get("properties", {}).items()
            if name in needed or (depth < DEEP and self._random.random() < 0.3)
        }
        more = schema.get("additionalProperties")
        if more and depth < DEEP:
            for _ in range(self._random.randint(0, 2)):
                name = _text(self._random.choice(list(self.known.get("column", ("a",)))))
                members[name] = self._value(more if isinstance(more, dict) else {}, "", depth + 1)
        if self._random.random() < SELDOM:
            members[_text(self._random.choice(WRONG))] = self._random.choice(WRONG)
        return members

    def _number(self, schema: dict[str, Any]) -> int | float:
        low, high = schema.get("minimum", 0), schema.get("maximum", 100)
        edges = (low, low, high, low - 1, high + 1, 0, 1)
        return self._random.choice(edges)

    def _words(self, schema: dict[str, Any]) -> str:
        low = schema.get("minLength", 0)
        high = min(schema.get("maxLength", 2_000), 20_000)
        length = self._random.choice((low, 1, 7, high, high + 1))
        return self._random.choice("xé1-") * length


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _encodable(text: str) -> str:
    """Return text that a form can carry: JSON can escape half of a surrogate pair, UTF-8 cannot."""
    return text.encode(errors="replace").decode()

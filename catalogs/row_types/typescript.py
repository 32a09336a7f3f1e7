"""Write a row as an interface of TypeScript."""

import json
from types import MappingProxyType

from catalogs.row_types.row import Member, Row

NAMES = MappingProxyType(
    {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}
)


def written(row: Row) -> str:
    """Return the source of a module with one interface."""
    lines = [f"/** {row.title} An empty value is null. */", f"export interface {row.name} {{"]
    for member in row.members:
        if comment := member.comment.replace("*/", "*\\/"):
            lines.append(f"  /** {comment} */")
        lines.append(f"  {_literal(member.path)}: {_type(member)}")
    return "\n".join([*lines, "}", ""])


def _type(member: Member) -> str:
    values = member.choices or tuple(NAMES[kind] for kind in member.kinds)
    union = " | ".join(map(_literal, values) if member.choices else map(str, values))
    if member.is_list:
        union = f"({union})[]" if len(values) > 1 else f"{union}[]"
    return f"{union} | null" if member.is_nullable else union


def _literal(value: str | float) -> str:
    """
    Return a value as source; characters that do not print are escaped.

    >>> _literal('a "b"'), _literal(2.0), _literal(chr(8238))
    ('"a \\\\"b\\\\""', '2.0', '"\\\\u202e"')
    """
    text = json.dumps(value, ensure_ascii=False)
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)

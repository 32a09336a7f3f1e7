"""Write a row as a TypedDict of Python."""

import keyword
from types import MappingProxyType

from catalogs.row_types.row import Member, Row

NAMES = MappingProxyType({"string": "str", "integer": "int", "number": "float", "boolean": "bool"})


def written(row: Row) -> str:
    """Return the source of a module with one TypedDict; the class form needs identifiers."""
    names = ["Literal"] if any(map(_listed, row.members)) else []
    lines = [f'"""{row.title} An empty value is None."""', ""]
    lines += [f"from typing import {', '.join([*names, 'TypedDict'])}", ""]
    is_class = all(_is_attribute(member.path) for member in row.members)
    if not row.members:
        lines += ["", f"class {row.name}(TypedDict):", "    pass"]
    elif is_class:
        lines += ["", f"class {row.name}(TypedDict):"]
        lines += [f"    {m.path}: {_type(m)}{_comment(m)}" for m in row.members]
    else:
        lines += [f"{row.name} = TypedDict(", f'    "{row.name}",', "    {"]
        lines += [f"        {m.path!r}: {_type(m)},{_comment(m)}" for m in row.members]
        lines += ["    },", ")"]
    return "\n".join([*lines, ""])


def _is_attribute(name: str) -> bool:
    """
    Return whether a name may be an annotated name of a class; those of two underscores are mangled.

    >>> [_is_attribute(name) for name in ("order_no", "class", "order.no", "__a", "straße")]
    [True, False, False, False, False]
    """
    plain = name.isascii() and name.isidentifier()
    return plain and not keyword.iskeyword(name) and not name.startswith("__")


def _listed(member: Member) -> bool:
    """Return whether a member is a ``Literal``, which holds no fractions."""
    return bool(member.choices) and "number" not in member.kinds


def _type(member: Member) -> str:
    if _listed(member):
        text = f"Literal[{', '.join(map(repr, member.choices))}]"
    else:
        text = " | ".join(NAMES[kind] for kind in member.kinds)
    text = f"list[{text}]" if member.is_list else text
    return f"{text} | None" if member.is_nullable else text


def _comment(member: Member) -> str:
    return f"  #: {member.comment}" if member.comment else ""  # "# type: x" would mean something

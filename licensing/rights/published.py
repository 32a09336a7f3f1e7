"""The table as in docs/security.md; ``python -m licensing.rights.published`` prints it."""

import sys
from collections.abc import Iterator

from licensing.rights.model import INVALID_ROWS, RIGHTS, SERVER, Member, Operation, Pages
from licensing.rights.table import OPERATIONS, TOOLS

HEAD = "| operation | full key | session | page key | staff |\n|---|---|---|---|---|"


def published() -> str:
    """Return the table in Markdown: who may call each operation, and send which members."""
    rows = [
        row for operation in sorted(OPERATIONS.values(), key=_order) for row in _rows(operation)
    ]
    tools = [row for tool in TOOLS.values() for row in _rows(tool)]
    rights = [f"| `{name}` | {what} |" for name, what in RIGHTS.items()]
    return "\n\n".join(
        (
            "\n".join(["| right | lets a session |", "|---|---|", *rights]),
            "\n".join([HEAD, *rows]),
            "\n".join([HEAD.replace("operation", "tool", 1), *tools]),
        )
    )


def _order(operation: Operation) -> tuple[bool, str]:
    return (operation.pages == Pages.NONE, operation.name)


def _rows(operation: Operation) -> Iterator[str]:
    if operation.is_open:
        yield f"| `{operation.name}` | without any key | yes | yes | yes |"
        return
    key = f"with `{operation.entitlement}`" if operation.entitlement else "yes"
    session = page = "no"
    if operation.pages == Pages.BOTH:
        session, page = (
            _of_session(operation.needs, operation.when),
            _of_key(operation.needs, operation.when),
        )
    elif operation.pages == Pages.KEYS:
        page = key
    elif operation.pages == Pages.SESSIONS:
        session = _of_session(operation.needs, operation.when)
    yield f"| `{operation.name}` | {key} | {session} | {page} | {_of_staff(operation)} |"
    for name, member in operation.members.items():
        if member.needs or member.when:
            yield from _member_row(name, member)


def _member_row(name: str, member: Member) -> Iterator[str]:
    values = "".join(f" `{str(value).lower()}`" for value in member.values)
    if SERVER in member.needs:
        session = page = "no"
    elif member.needs:
        session, page = _of_session(member.needs, member.when), _of_key(member.needs, member.when)
    else:
        session, page = f"no, where {member.when}", "yes" if member.keys else "no"
    yield f"| – `{name}`{values} | yes | {session} | {page} | yes |"


def _of_session(needs: tuple[str, ...], when: str) -> str:
    if not needs:
        return "yes"
    named = " or ".join(f"`{need}`" for need in needs)
    return f"with {named}{_where(when)}"


def _of_key(needs: tuple[str, ...], when: str) -> str:
    if set(needs) <= set(INVALID_ROWS):
        return "yes"
    return f"no{_where(when)}"


def _where(when: str) -> str:
    return f", where {when}" if when else ""


def _of_staff(operation: Operation) -> str:
    if not operation.staff:
        return "no"
    return f"`{operation.staff}`" if operation.reads else f"`{operation.staff}`, role `editor`"


if __name__ == "__main__":
    sys.stdout.write(published() + "\n")

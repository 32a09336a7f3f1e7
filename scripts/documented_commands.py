"""Read the commands of a page: ``sh`` blocks below a comment that names them.

A reader of the page does not see the comment:

    <!-- walk: install -->
    ```sh
    pip install ...
    ```
"""

import re
from pathlib import Path

NAMED = re.compile(r"^<!-- walk: (?P<name>[a-z-]+) -->\n```sh\n(?P<text>.*?)^```$", re.M | re.S)
ANY_NAME = re.compile(r"<!-- walk:")


class UnusableDocs(ValueError):
    """A page names commands that cannot be taken from it."""


def blocks_of(*pages: Path) -> dict[str, str]:
    """Return the commands of some pages by name. Raise UnusableDocs."""
    by_name: dict[str, str] = {}
    for page in pages:
        text = page.read_text("utf-8")
        blocks = [(item["name"], item["text"]) for item in NAMED.finditer(text)]
        if len(blocks) != len(ANY_NAME.findall(text)):
            raise UnusableDocs(f"{page.name}: a walk is not followed by a block of sh")
        if again := {name for name, _ in blocks} & by_name.keys():
            raise UnusableDocs(f"{page.name}: {min(again)} is named twice")
        by_name |= dict(blocks)
    return by_name


def fill_in(blocks: dict[str, str], values: dict[str, str]) -> dict[str, str]:
    """
    Replace placeholders by values, longest first. Raise UnusableDocs for an unused one.

    >>> fill_in({"a": "curl https://host:80/"}, {"https://host": "http://127.0.0.1", ":80": ":81"})
    {'a': 'curl http://127.0.0.1:81/'}
    """
    every = "|".join(re.escape(name) for name in sorted(values, key=len, reverse=True))
    used = set(re.findall(every, "\n".join(blocks.values())))
    if missing := values.keys() - used:
        raise UnusableDocs(f"no command names {min(missing)}")
    return {
        name: re.sub(every, lambda match: values[match[0]], text) for name, text in blocks.items()
    }


def commands_of(block: str) -> list[str]:
    """
    Return the commands of a block, one per line, without comments.

    >>> commands_of("web --port 8000\\n# any number\\nbeat     # exactly one\\n")
    ['web --port 8000', 'beat']
    """
    lines = [re.sub(r"(^|\s+)#.*", "", line).strip() for line in block.splitlines()]
    return [line for line in lines if line]

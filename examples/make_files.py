"""Make the example files and what is expected of them, the same bytes each time.

    python -m examples.make_files

``source/*.tsv`` say what the files hold; the modules of ``making`` add the mess around it.
"""

import json

from examples.making import orders, price_list, stock
from examples.making.expectation import Expectation
from examples.making.source import HERE

MAKERS = (orders, stock, price_list)


def write(file: str, content: bytes, expected: Expectation) -> None:
    """Write one file and its expectation."""
    (HERE / file).write_bytes(content)
    text = json.dumps(expected, ensure_ascii=False, indent=1)
    (HERE / "expected" / f"{expected['catalog']}.json").write_text(text + "\n", "utf-8")


def main() -> None:
    """Write every file."""
    for maker in MAKERS:
        write(maker.FILE, maker.content(), maker.expected())


if __name__ == "__main__":
    main()

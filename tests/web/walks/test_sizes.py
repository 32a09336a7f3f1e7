"""The sizes that `make test-elements` weighs are those that a visitor downloads."""

from pathlib import Path

import pytest
import requests

from tests.web.walks.engine import Engine

pytestmark = pytest.mark.web

BUILT = Path(__file__).resolve().parents[3] / "static" / "elements"


def compressed(path: Path) -> float:
    """Return the size in kB of the compressed copy that the engine serves."""
    return path.with_name(f"{path.name}.gz").stat().st_size / 1000


def test_what_is_weighed_is_what_is_served(engine: Engine) -> None:
    for path in sorted([BUILT / "service-import.js", *BUILT.glob("chunks/*.js")]):
        address = f"{engine.origin}/elements/{path.relative_to(BUILT)}"
        accepts = {"accept-encoding": "gzip"}
        with requests.get(address, headers=accepts, stream=True, timeout=60) as answer:
            sent = answer.raw.read(decode_content=False)

        assert answer.headers["content-encoding"] == "gzip"
        assert len(sent) / 1000 == compressed(path)

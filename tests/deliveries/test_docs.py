"""The code that docs/webhooks.md tells receivers to copy."""

import re
from pathlib import Path

import pytest

from deliveries.http.signing import signature_header

PAGE = Path(__file__).parents[2] / "docs" / "webhooks.md"
BODY = '{"größe":"10 €"}'.encode()
T = 1_700_000_000


@pytest.fixture(scope="module")
def is_genuine():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    names: dict = {}
    exec(code, names)
    return names["is_genuine"]


def signed(*secrets: str, t: int = T) -> str:
    return signature_header(secrets, t=t, body=[BODY])


@pytest.mark.parametrize(
    ("secret", "header", "body", "now", "genuine"),
    [
        ("whsec_a", signed("whsec_a"), BODY, T, True),
        ("whsec_a", signed("whsec_a"), BODY, T + 300, True),
        ("whsec_a", signed("whsec_a"), BODY, T - 300, True),
        ("whsec_b", signed("whsec_b", "whsec_a"), BODY, T, True),
        ("whsec_a", signed("whsec_b", "whsec_a"), BODY, T, True),  # during a rotation
        ("whsec_a", signed("whsec_a"), BODY, T + 301, False),
        ("whsec_a", signed("whsec_a"), BODY, T - 301, False),
        ("whsec_b", signed("whsec_a"), BODY, T, False),
        ("whsec_a", signed("whsec_a"), BODY + b" ", T, False),
        ("whsec_a", signed("whsec_a").replace("v1=", "v0="), BODY, T, False),
        ("whsec_a", signed("whsec_a").replace(f"t={T}", f"t={T + 1}"), BODY, T, False),
        ("whsec_a", f"{signed('whsec_a')},t={T}", BODY, T, False),
        ("whsec_a", "", BODY, T, False),
        ("whsec_a", "t=,v1=", BODY, T, False),
        ("whsec_a", "t=²,v1=é", BODY, T, False),
        ("whsec_a", f"t={T},v1=é", BODY, T, False),
    ],
)
def test_the_code_in_the_docs_accepts_what_is_genuine_and_fresh(
    is_genuine, secret, header, body, now, genuine
):
    assert is_genuine(secret, header, body, now=now) is genuine

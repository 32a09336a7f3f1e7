"""The verifiers that hosts copy agree about every shared vector, and so does the engine."""

import json
import re
import runpy
from pathlib import Path

import pytest

from deliveries.http.signing import signature_header
from examples.django_receiver.verify import NotVerified, verify

ROOT = Path(__file__).parents[2]
VECTORS = json.loads((ROOT / "sdk/vectors/signatures.json").read_text("utf-8"))["vectors"]
SENT = [vector for vector in VECTORS if ", " not in vector["header"]]  # the engine sends no spaces
CODES = {
    "MalformedSignature": "malformed_signature",
    "WrongSignature": "wrong_signature",
    "StaleDelivery": "stale_signature",
}


def verdict(vector) -> str:
    try:
        verify(
            vector["body"].encode(),
            vector["header"],
            vector["secrets"],
            arrived_at=vector["now"],
        )
    except NotVerified as refusal:
        return CODES[type(refusal).__name__]
    return "ok"


@pytest.fixture(scope="module")
def documented(tmp_path_factory):
    """Return the function that docs/webhooks.md shows."""
    text = (ROOT / "docs/webhooks.md").read_text("utf-8")
    snippet = re.search(r"```python\n(import hashlib.*?)```", text, re.DOTALL)
    file = tmp_path_factory.mktemp("docs") / "snippet.py"
    file.write_text(snippet[1], "utf-8")
    return runpy.run_path(str(file))["is_genuine"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_verifier_that_is_copied_agrees(vector):
    assert verdict(vector) == vector["expect"]


@pytest.mark.parametrize("vector", SENT, ids=lambda vector: vector["name"])
def test_the_function_in_the_docs_agrees(documented, vector):
    body = vector["body"].encode()
    verdicts = [
        documented(secret, vector["header"], body, now=vector["now"])
        for secret in vector["secrets"]
    ]

    assert any(verdicts) == (vector["expect"] == "ok")


def test_the_engine_signs_as_the_vectors_say():
    by_name = {vector["name"]: vector for vector in VECTORS}
    valid = by_name["valid"]

    signed = signature_header(valid["secrets"], t=valid["now"], body=[valid["body"].encode()])

    assert signed == valid["header"]


def test_every_kind_of_trouble_is_among_the_vectors():
    names = " ".join(vector["name"] for vector in VECTORS)

    for kind in ("valid", "rotation", "expired", "altered", "wrong length", "wrong encoding"):
        assert kind in names

"""The verifier in JavaScript accepts our bundles and refuses changed ones."""

import copy
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from contracts import signing
from signatures.keysets import public_jwk
from tests.contracts.bundles import SIGNER, STRANGER, bundle, content, resigned

VERIFIER = Path(__file__).parents[2] / "examples" / "contract_verifier" / "verify.mjs"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")


@pytest.fixture
def verify(tmp_path):
    """Return a function that runs the verifier over a text; returns exit status and output."""

    def verify(text: str, key=SIGNER) -> tuple[int, str]:
        contract, keys = tmp_path / "bundle.json", tmp_path / "keys.json"
        contract.write_text(text, "utf-8")
        keys.write_text(json.dumps({"keys": [public_jwk(key.public_key())]}), "utf-8")
        command = [str(NODE), str(VERIFIER), str(contract), str(keys)]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    return verify


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"title": 'Ümläute, 😀, "quotes", \\ and \u2028', "expiresAt": "2999-01-01T00:00:00Z"},
        {
            "profile": {
                "version": 1,
                "recipe": [0.1, 1e21, 1e20, 1e-7, -1.5, {"€": 1, "\ufb33": 2, "10": 3, "9": 4}],
            }
        },
    ],
)
def test_what_we_sign_is_verified(verify, members):
    assert verify(bundle(**members))[0] == 0


def test_a_formatted_bundle_is_the_same_bundle(verify):
    assert verify(json.dumps(json.loads(bundle()), indent=2))[0] == 0


def changed(change):
    document = copy.deepcopy(json.loads(bundle()))
    change(document)
    return json.dumps(document)


def padded(document):
    document["signature"]["protected"] += "="


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (changed(lambda d: d["contract"].update(title="x")), "id"),
        (changed(lambda d: d["contract"].update(id="sha256:0")), "id"),
        (changed(lambda d: d.update(keyId="x")), "key is named in two ways"),
        (changed(lambda d: d.update(extra=1)), "unknown members"),
        (changed(lambda d: d["signature"].update(extra=1)), "unknown members"),
        (changed(padded), "base64url"),
        (bundle()[:-1] + ',"keyId":"x"}', "twice"),
        (bundle().replace('"maxRows":1000', '"maxRows":9007199254740993'), "2^53-1"),
        (bundle(expiresAt="2020-01-01T00:00:00Z"), "expired"),
        (resigned(json.loads(bundle()), by=STRANGER), "key is named in two ways"),
    ],
)
def test_what_was_changed_is_refused(verify, text, expected):
    status, output = verify(text)

    assert status == 1
    assert expected in output


def test_a_signature_by_another_key_is_refused(verify):
    opened = signing.sign(content(), SIGNER)

    assert verify(opened, key=STRANGER) == (1, "not verified: the key is not known\n")


def test_what_is_not_a_bundle_has_no_verdict(verify):
    assert verify("{")[0] == 2

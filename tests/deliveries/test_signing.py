"""Spec: Events > Signature."""

import base64
import hmac

from deliveries.http import signing


def test_the_signature_is_an_hmac_of_time_dot_body():
    body = '{"größe":"10 €"}'.encode()

    header = signing.signature_header(["whsec_abc"], t=1_700_000_000, body=[body[:3], body[3:]])

    expected = hmac.digest(b"whsec_abc", b"1700000000." + body, "sha256").hex()
    assert header == f"t=1700000000,v1={expected}"


def test_both_secrets_sign_during_an_overlap_newest_first():
    header = signing.signature_header(["whsec_new", "whsec_old"], t=7, body=iter([b"{}"]))

    new, old = (hmac.digest(key, b"7.{}", "sha256").hex() for key in (b"whsec_new", b"whsec_old"))
    assert header == f"t=7,v1={new},v1={old}"


def test_a_secret_is_a_prefix_and_32_random_bytes():
    secrets = {signing.new_secret() for _ in range(50)}

    assert len(secrets) == 50
    assert all(len(base64.b64decode(secret.removeprefix("whsec_"))) == 32 for secret in secrets)

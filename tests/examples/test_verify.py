"""The verify module, as a host would use it."""

import hashlib
import hmac

import pytest

from examples.django_receiver.verify import (
    MalformedSignature,
    StaleDelivery,
    Verifier,
    WrongSignature,
    verify,
)

SECRET = "whsec_c2VjcmV0"
OLD_SECRET = "whsec_b2xkZXI"
NOW = 1_795_000_000
BODY = '{"event":"import.apply","city":"Köln"}'.encode()


def sign(body=BODY, *, secret=SECRET, t=NOW):
    return hmac.new(secret.encode(), f"{t}.".encode() + body, hashlib.sha256).hexdigest()


def header(*signatures, t=NOW):
    return ",".join([f"t={t}", *(f"v1={signature}" for signature in signatures)])


@pytest.mark.parametrize(
    ("given", "secrets"),
    [
        ([sign()], [SECRET]),
        ([sign(), sign(secret=OLD_SECRET)], [OLD_SECRET]),  # the host has not rotated yet
        ([sign(), sign(secret=OLD_SECRET)], [SECRET]),  # the host has rotated
        ([sign(secret=OLD_SECRET)], [SECRET, OLD_SECRET]),  # the host was first
    ],
)
def test_one_fitting_signature_is_enough(given, secrets):
    verify(BODY, header(*given), secrets, arrived_at=NOW)


@pytest.mark.parametrize(
    ("body", "signature"),
    [
        (BODY + b" ", sign()),  # one byte more
        (BODY, sign()[:-1]),  # cut short
        (BODY, sign().upper()),  # hex is lower case
        (BODY, sign(t=NOW - 1)),  # another time was signed
        (BODY, sign(secret=SECRET.removeprefix("whsec_"))),  # the prefix belongs to the key
        (BODY, "ü" * 64),  # the right length in another alphabet
    ],
)
def test_a_signature_that_does_not_fit_is_refused(body, signature):
    with pytest.raises(WrongSignature):
        verify(body, header(signature), [SECRET], arrived_at=NOW)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "t=1795000000",
        f"v1={sign()}",
        f"t=soon,v1={sign()}",
        f"t=-5,v1={sign()}",
        f"t=١٧٩٥,v1={sign()}",  # digits, but not ASCII
        f"t={NOW},t={NOW},v1={sign()}",  # which of them was signed?
        f"t={NOW},v0={sign()}",
    ],
)
def test_a_header_that_cannot_be_read_is_malformed(text):
    with pytest.raises(MalformedSignature):
        verify(BODY, text, [SECRET], arrived_at=NOW)


@pytest.mark.parametrize("age_s", [0, 300, -300])
def test_a_signature_within_the_tolerance_is_fresh(age_s):
    verify(BODY, header(sign()), [SECRET], arrived_at=NOW + age_s)


@pytest.mark.parametrize("age_s", [301, -301, 86_400])
def test_an_old_or_future_signature_is_stale(age_s):
    with pytest.raises(StaleDelivery):
        verify(BODY, header(sign()), [SECRET], arrived_at=NOW + age_s)


def test_a_wrong_signature_is_called_wrong_and_not_stale():
    with pytest.raises(WrongSignature):
        verify(BODY, header(sign(b"{}")), [SECRET], arrived_at=NOW + 1000)


def test_members_that_are_not_known_are_ignored():
    verify(BODY, header(sign()) + ",v2=later,kid=7", [SECRET], arrived_at=NOW)


def test_no_secret_verifies_nothing():
    with pytest.raises(WrongSignature):
        verify(BODY, header(sign()), [], arrived_at=NOW)


@pytest.mark.parametrize("size", [1, 7, len(BODY)])
def test_a_body_may_arrive_in_pieces_of_any_size(size):
    verifier = Verifier(header(sign()), [SECRET], arrived_at=NOW)

    for start in range(0, len(BODY), size):
        verifier.feed(BODY[start : start + size])

    verifier.check()

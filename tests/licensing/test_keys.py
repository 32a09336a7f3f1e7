"""Reading a license key, attack by attack. Spec: Authentication."""

import json
import time

import josepy
import pytest
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given
from hypothesis import strategies as st

from common.errors import NotAuthenticated
from licensing.refusals import LicenseExpired, LicenseMalformed, LicenseRejected
from licensing.tokens import keyfiles, keys
from licensing.tokens.keys import Claims
from signatures import keysets

NOON = 1_800_000_000
SIGNER = ec.generate_private_key(ec.SECP256R1())
STRANGER = ec.generate_private_key(ec.SECP256R1())
PUBLIC_KEYS = keysets.read_public_keys(keyfiles.public_pem(SIGNER.public_key()).decode())
HEADER = {"alg": "ES256", "kid": keysets.thumbprint(SIGNER.public_key()), "typ": keys.TYPE}
MEMBERS = {
    "iss": "import-account",
    "aud": "import-engine",
    "sub": "tnt_owner",
    "jti": "lic_one",
    "iat": NOON,
    "exp": NOON + 3600,
    "plan": "team",
    "entitlements": {"catalogEditor": True},
}
GOOD = keys.sign_members(SIGNER, MEMBERS)
HEAD, PAYLOAD, SIGNATURE = GOOD.removeprefix(keys.PREFIX).split(".")


def encoded(value: object) -> str:
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return josepy.b64encode(text).decode()


def signed(header: object = None, payload: object = None, *, by=SIGNER, prefix="imp_lic_") -> str:
    parts = f"{encoded(header or HEADER)}.{encoded(MEMBERS if payload is None else payload)}"
    return f"{prefix}{parts}.{encoded(josepy.ES256.sign(by, parts.encode()))}"


def with_secret(secret: bytes) -> str:
    parts = f"{encoded(HEADER | {'alg': 'HS256'})}.{PAYLOAD}"
    mac = hmac.HMAC(secret, hashes.SHA256())
    mac.update(parts.encode())
    return f"imp_lic_{parts}.{encoded(mac.finalize())}"


def without(name: str) -> dict[str, object]:
    return {member: value for member, value in MEMBERS.items() if member != name}


def sibling_of_last_character(text: str) -> str:
    """Return another spelling whose spare bits differ, for the same 64 bytes."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return text[:-1] + letters[letters.index(text[-1]) ^ 1]


def test_a_key_says_what_was_minted():
    claims = Claims(
        tenant_id="tnt_owner",
        license_id="lic_one",
        issued_at=NOON,
        expires_at=NOON + 60,
        plan="enterprise",
        entitlements=frozenset({"agentAccess"}),
        origins=frozenset({"https://app.example.com"}),
    )

    assert keys.verify(keys.mint(SIGNER, claims), PUBLIC_KEYS) == claims


def test_the_prefix_may_be_left_out():
    assert keys.verify(GOOD.removeprefix("imp_lic_"), PUBLIC_KEYS).tenant_id == "tnt_owner"


@pytest.mark.parametrize(
    "key",
    [
        pytest.param("", id="nothing"),
        pytest.param("imp_lic_", id="prefix alone"),
        pytest.param("imp_lic_" + GOOD, id="prefix twice"),
        pytest.param(f"{HEAD}.{PAYLOAD}", id="two parts"),
        pytest.param(f"{GOOD}.{SIGNATURE}", id="four parts"),
        pytest.param(f"imp_lic_{HEAD}.{PAYLOAD}.", id="no signature"),
        pytest.param(f"imp_lic_{HEAD}=.{PAYLOAD}.{SIGNATURE}", id="padding"),
        pytest.param(f"imp_lic_{HEAD}.{PAYLOAD}.{SIGNATURE[:-1]}+", id="standard base64"),
        pytest.param(sibling_of_last_character(GOOD), id="second spelling of the signature"),
        pytest.param(f"imp_lic_{HEAD}.{PAYLOAD}.A", id="impossible base64 length"),
        pytest.param(GOOD + "\n", id="newline"),
        pytest.param(GOOD[:-1] + "\u0661", id="a digit of another alphabet"),
        pytest.param("imp_lic_" + HEAD + "." + "A" * 5000 + "." + SIGNATURE, id="too long"),
        pytest.param(signed(b"[" * 1200), id="header nested too deep"),
        pytest.param(signed(b'["ES256"]'), id="header is a list"),
        pytest.param(signed(payload=b"[]"), id="payload is a list"),
        pytest.param(signed(payload=b"[" * 1500), id="payload nested too deep"),
        pytest.param(signed(payload=b'{"sub":"\xff"}'), id="payload is not UTF-8"),
        pytest.param(
            signed(payload=json.dumps(MEMBERS)[:-1].encode() + b',"sub":"tnt_other"}'),
            id="a member twice",
        ),
        pytest.param(signed(payload=b'{"exp":NaN}'), id="NaN is not JSON"),
    ],
)
def test_what_is_not_a_key_is_malformed(key):
    with pytest.raises(LicenseMalformed):
        keys.verify(key, PUBLIC_KEYS)


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(signed(HEADER | {"alg": "none"}), id="alg none"),
        pytest.param(signed(HEADER | {"alg": "es256"}), id="alg in another case"),
        pytest.param(signed(HEADER | {"alg": ["ES256"]}), id="alg is a list"),
        pytest.param(signed(HEADER | {"alg": "ES384"}), id="another curve's alg"),
        pytest.param(
            with_secret(keyfiles.public_pem(SIGNER.public_key())), id="public key as HMAC secret"
        ),
        pytest.param(signed({"alg": "ES256", "typ": keys.TYPE}), id="no kid"),
        pytest.param(signed(HEADER | {"kid": None}), id="kid null"),
        pytest.param(signed(HEADER | {"kid": [HEADER["kid"]]}), id="kid is a list"),
        pytest.param(signed(HEADER | {"kid": "/etc/hostname"}), id="kid is a path"),
        pytest.param(
            signed(HEADER | {"kid": keysets.thumbprint(STRANGER.public_key())}, by=STRANGER),
            id="kid of a key nobody configured",
        ),
        pytest.param(signed(HEADER | {"typ": "JWT"}), id="typ of another protocol"),
        pytest.param(signed(HEADER | {"typ": "import-contract+jws"}), id="typ of our contracts"),
        pytest.param(signed(HEADER | {"crit": ["exp"]}), id="critical extension"),
        pytest.param(signed(HEADER | {"jku": "https://x.example/jwks"}), id="key by address"),
        pytest.param(
            signed(
                HEADER | {"jwk": josepy.JWKEC(key=STRANGER.public_key()).to_json()}, by=STRANGER
            ),
            id="key brought along",
        ),
        pytest.param(signed(by=STRANGER), id="signed by a stranger"),
        pytest.param(f"imp_lic_{HEAD}.{PAYLOAD}.{encoded(bytes(64))}", id="signature of zeros"),
        pytest.param(f"imp_lic_{HEAD}.{PAYLOAD}.{encoded(b'x' * 63)}", id="short signature"),
        pytest.param(
            f"imp_lic_{HEAD}.{PAYLOAD}."
            + encoded(SIGNER.sign(f"{HEAD}.{PAYLOAD}".encode(), ec.ECDSA(hashes.SHA256()))),
            id="DER signature",
        ),
        pytest.param(
            f"imp_lic_{HEAD}.{encoded(MEMBERS | {'sub': 'tnt_other'})}.{SIGNATURE}",
            id="payload changed after signing",
        ),
    ],
)
def test_what_our_key_did_not_sign_so_is_rejected(key):
    with pytest.raises(LicenseRejected):
        keys.verify(key, PUBLIC_KEYS)


@pytest.mark.parametrize("name", ["iss", "aud", "sub", "jti", "iat", "exp"])
def test_a_required_claim_is_not_left_out(name):
    with pytest.raises(LicenseRejected):
        keys.verify(signed(payload=without(name)), PUBLIC_KEYS)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("iss", "import-engine"),
        ("aud", ["import-engine"]),
        ("sub", ""),
        ("sub", "owner"),
        ("sub", "tnt_owner\n"),
        ("sub", "tnt_" + "a" * 61),
        ("sub", "tnt_\ud800"),
        ("jti", "one"),
        ("jti", 7),
        ("iat", "1800000000"),
        ("exp", None),
        ("exp", True),  # true is 1 in Python
        ("exp", 1e400),
        ("exp", NOON + 0.5),
        ("exp", -1),
        ("exp", 253_402_300_800),  # the year 10000, beyond every datetime
        ("exp", 10**15),
        ("nbf", "0"),
        ("plan", None),
        ("plan", ""),
        ("plan", {"name": "enterprise"}),
        ("entitlements", None),
        ("entitlements", ["agentAccess"]),
        ("entitlements", {"catalogEditor": "false"}),
        ("entitlements", {"catalogEditor": 1}),
        ("entitlements", {"\u0000": True}),
        ("origins", "https://app.example.com"),
        ("origins", [None]),
    ],
)
def test_a_claim_of_another_form_is_rejected(name, value):
    payload = json.dumps(MEMBERS | {name: value}).replace("Infinity", "1e400").encode()

    with pytest.raises(LicenseRejected):
        keys.verify(signed(payload=payload), PUBLIC_KEYS)


@pytest.mark.parametrize("exp", [0, 253_402_300_799])
def test_a_key_may_expire_in_any_second_that_a_datetime_holds(exp):
    assert keys.verify(signed(payload=MEMBERS | {"exp": exp}), PUBLIC_KEYS).expires_at == exp


def test_members_we_do_not_know_are_left_alone():
    assert keys.verify(signed(payload=MEMBERS | {"region": "eu"}), PUBLIC_KEYS).plan == "team"


@pytest.mark.parametrize(
    ("after_expiry_s", "passes"),
    [(-1, True), (0, True), (60, True), (61, False), (3600, False)],
)
def test_a_key_lasts_until_a_minute_after_it_expires(after_expiry_s, passes):
    claims = keys.verify(GOOD, PUBLIC_KEYS)

    if passes:
        claims.check_time(claims.expires_at + after_expiry_s)
    else:
        with pytest.raises(LicenseExpired):
            claims.check_time(claims.expires_at + after_expiry_s)


@pytest.mark.parametrize("name", ["iat", "nbf"])
def test_a_key_of_the_future_is_refused_beyond_the_leeway(name):
    claims = keys.verify(signed(payload=MEMBERS | {name: NOON + 100}), PUBLIC_KEYS)

    claims.check_time(NOON + 40)
    with pytest.raises(LicenseRejected):
        claims.check_time(NOON + 39)


@pytest.mark.parametrize(
    ("origins", "origin", "allowed"),
    [
        (None, "https://app.example.com", True),
        (None, "null", True),  # no list: any page, a sandboxed frame included
        (["https://app.example.com"], "https://app.example.com", True),
        (["https://App.Example.com/"], "https://app.example.com", True),
        (["https://app.example.com"], "http://app.example.com", False),
        (["https://app.example.com"], "https://app.example.com:8443", False),
        (["https://app.example.com"], "https://app.example.com.evil.example", False),
        (["https://app.example.com"], "https://evil.example", False),
        (["null"], "null", False),  # every sandboxed frame has this origin
        (["*"], "https://app.example.com", False),
        ([], "https://app.example.com", False),
    ],
)
def test_a_key_names_the_pages_that_may_use_it(origins, origin, allowed):
    members = MEMBERS if origins is None else MEMBERS | {"origins": origins}

    assert keys.verify(signed(payload=members), PUBLIC_KEYS).allows_origin(origin) is allowed


def test_a_key_too_long_to_be_read_is_not_minted():
    claims = Claims(
        tenant_id="tnt_owner",
        license_id="lic_one",
        issued_at=NOON,
        expires_at=NOON + 60,
        origins=frozenset(f"https://{number}.{'x' * 100}.example" for number in range(40)),
    )

    with pytest.raises(ValueError, match="longer than 4096"):
        keys.mint(SIGNER, claims)


@given(st.text(alphabet='eyJhbGci.OiJ-_=+\u0661 \x00{}[]"', max_size=200) | st.text())
def test_no_text_is_more_than_refused(text):
    with pytest.raises(NotAuthenticated):
        keys.verify(text, PUBLIC_KEYS)


@given(st.binary(max_size=300))
def test_no_signed_payload_is_more_than_refused(payload):
    with pytest.raises(NotAuthenticated):
        keys.verify(signed(payload=payload), PUBLIC_KEYS)


@given(st.dictionaries(st.sampled_from(sorted(MEMBERS)), st.none() | st.integers() | st.text()))
def test_no_signed_claims_are_more_than_refused_or_read(changes):
    payload = json.dumps(MEMBERS | changes).encode()
    try:
        claims = keys.verify(signed(payload=payload), PUBLIC_KEYS)
    except NotAuthenticated:
        return

    assert "agentAccess" not in claims.entitlements
    assert claims.tenant_id.startswith("tnt_")
    assert time.gmtime(claims.expires_at)

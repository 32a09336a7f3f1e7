"""A bundle opens with the key that sealed it, as it was sealed, and in no other way."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import signing
from contracts.content import ContractDraft, content_of
from contracts.refusals import (
    ContractExpired,
    ContractInvalid,
    ContractRefused,
    IdWrong,
    KeyUnknown,
    PinMismatch,
    SignatureInvalid,
)
from signatures import jws
from signatures.keysets import thumbprint
from tabular.model.catalog import Catalog
from tests.contracts.bundles import KEY_ID, KEYS, SIGNER, STRANGER, bundle, content, resigned

TEXT = bundle()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256, n
SAFE = 2**53 - 1
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
numbers = st.integers(-SAFE, SAFE) | st.floats(allow_nan=False, allow_infinity=False)
scalars = texts | numbers | st.booleans()
json_values = st.recursive(
    scalars | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=10,
)
names = texts.filter(bool)
options = st.one_of(
    st.fixed_dictionaries({"type": st.just("string"), "label": names, "value": texts}),
    st.fixed_dictionaries(
        {"type": st.just("int"), "label": names, "value": st.integers(-SAFE, SAFE)}
    ),
    st.fixed_dictionaries(
        {
            "type": st.just("float"),
            "label": names,
            "value": st.floats(allow_nan=False, allow_infinity=False),
        }
    ),
)
detectors = st.fixed_dictionaries(
    {"kind": st.just("oneOf"), "values": st.lists(names, min_size=1, max_size=2)},
    optional={"minRatio": st.floats(0, 1), "weight": st.floats(0, 100)},
)
rules = st.fixed_dictionaries(
    {"validate": st.sampled_from(["required", "unique", "compare"])},
    optional={
        "regex": st.none() | texts,
        "value": scalars,
        "columnValues": st.dictionaries(texts, scalars | st.lists(scalars, max_size=2), max_size=2),
    },
)
fields = st.fixed_dictionaries(
    {"key": names, "columnType": st.sampled_from(["string", "float", "date"])},
    optional={
        "example": st.none() | texts,
        "columnSize": st.none() | st.integers(1, SAFE),
        "dropdownOptions": st.none() | st.lists(options, max_size=2),
        "valueDetectors": st.lists(detectors, max_size=2),
        "validations": st.none() | st.lists(rules, max_size=2),
        "required": st.booleans(),
    },
)
entries = st.fixed_dictionaries(
    {"id": names, "fields": st.lists(fields, max_size=2)}, optional={"label": texts}
)
profiles = st.fixed_dictionaries(
    {"version": st.integers(1, SAFE)},
    optional={
        "headerRow": st.integers(0, SAFE),
        "fingerprint": texts,
        "mapping": st.dictionaries(texts, texts, max_size=3),
        "recipe": json_values,
    },
)
policies = st.fixed_dictionaries(
    {"requiredColumns": st.lists(texts, max_size=3)},
    optional={"maxRows": st.integers(1, SAFE), "encodings": st.lists(texts, max_size=2)},
)
contracts = st.builds(
    content,
    title=texts,
    catalog=st.lists(entries, max_size=2),
    profile=profiles,
    policy=policies,
    keySeparator=st.text(max_size=8, alphabet="./ä-"),
)


def accept(text, keys=KEYS):
    opened = signing.open_bundle(text if isinstance(text, bytes) else text.encode())
    signing.verify(opened, keys)
    return opened.members


@given(contracts)
def test_any_contract_comes_back_as_it_was_sealed(reported):
    opened = accept(signing.sign(reported, SIGNER))["contract"]

    assert {name: value for name, value in opened.items() if name != "id"} == reported


@given(st.data())
def test_a_bundle_in_which_one_byte_is_another_is_refused(data):
    text = signing.sign(data.draw(contracts), SIGNER).encode()
    place = data.draw(st.integers(0, len(text) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != text[place]))

    with pytest.raises(ContractRefused):
        accept(text[:place] + bytes([byte]) + text[place + 1 :])


@pytest.mark.parametrize("place", range(0, len(TEXT.encode()), 3))
def test_a_bundle_that_lacks_a_byte_is_refused(place):
    text = TEXT.encode()

    with pytest.raises(ContractRefused):
        accept(text[:place] + text[place + 1 :])


def test_white_space_and_the_order_of_members_carry_nothing():
    document = json.loads(TEXT)
    turned = json.dumps(dict(reversed(document.items())), indent=2)

    assert accept(turned) == document


def test_a_contract_with_another_id_is_refused():
    with pytest.raises(IdWrong):
        accept(TEXT.replace('"title":"Orders"', '"title":"Others"'))


def test_a_contract_signed_by_a_stranger_under_our_key_id_is_refused():
    with pytest.raises(KeyUnknown):
        accept(resigned(json.loads(TEXT), by=STRANGER))
    header = jws.encode(jws.decode(json.loads(TEXT)["signature"]["protected"]))
    forged = json.loads(resigned(json.loads(TEXT), by=STRANGER))
    forged["signature"]["protected"] = header

    with pytest.raises(SignatureInvalid):
        accept(json.dumps(forged))


def test_a_key_that_is_not_given_is_unknown():
    with pytest.raises(KeyUnknown):
        accept(TEXT, keys={})


@pytest.mark.parametrize("place", ["bundle", "issuer"])
def test_every_place_that_names_the_key_must_name_the_same(place):
    document = json.loads(TEXT)
    other = thumbprint(STRANGER.public_key())
    if place == "bundle":
        document["keyId"] = other
    else:
        document["contract"]["issuer"]["keyId"] = other
    keys = KEYS | {other: STRANGER.public_key()}

    with pytest.raises(SignatureInvalid):
        accept(resigned(document), keys)


@pytest.mark.parametrize(
    "header",
    [
        {"alg": "none", "kid": KEY_ID, "typ": signing.TYPE},
        {"alg": "HS256", "kid": KEY_ID, "typ": signing.TYPE},
        {"alg": "ES256", "kid": KEY_ID, "typ": "import-license+jws"},
        {"alg": "ES256", "kid": KEY_ID},
        {"alg": "ES256", "kid": KEY_ID, "typ": signing.TYPE, "b64": False, "crit": ["b64"]},
    ],
)
def test_another_header_is_refused(header):
    document = json.loads(TEXT)
    document["signature"]["protected"] = jws.encode(json.dumps(header).encode())

    with pytest.raises(SignatureInvalid):
        accept(json.dumps(document))


def test_a_second_spelling_of_the_signature_is_refused():
    document = json.loads(TEXT)
    last = document["signature"]["signature"][-1]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    sibling = letters[letters.index(last) ^ 1]
    document["signature"]["signature"] = document["signature"]["signature"][:-1] + sibling

    with pytest.raises(SignatureInvalid):
        accept(json.dumps(document))


def test_defaults_are_not_filled_in_before_hashing():
    document = json.loads(TEXT)
    del document["contract"]["catalog"][0]["fields"][0]["columnType"]

    with pytest.raises(ContractInvalid):
        accept(resigned(document))


def test_a_contract_is_over_at_its_end():
    opened = signing.open_bundle(bundle(expiresAt="2026-12-01T00:00:00+01:00").encode())
    end = datetime(2026, 11, 30, 23, tzinfo=UTC)

    signing.check_time(opened.contract, end.replace(hour=22, minute=59))
    with pytest.raises(ContractExpired):
        signing.check_time(opened.contract, end)


def test_a_contract_of_another_engine_names_the_pins_that_differ():
    opened = signing.open_bundle(
        bundle(
            engine={"matcher": "elsewhere", "transform": content()["engine"]["transform"]}
        ).encode()
    )

    with pytest.raises(PinMismatch) as refused:
        signing.check_pins(opened.contract)
    assert "matcher 'elsewhere'" in refused.value.sentence
    assert "transform" not in refused.value.sentence


def test_nothing_is_sealed_that_would_be_refused():
    with pytest.raises(ContractInvalid):
        signing.sign(content(title="x" * 201), SIGNER)


def test_a_catalog_is_exported_with_its_defaults_written_out_and_nothing_else():
    catalog = Catalog.model_validate_json(
        """{"key": "k", "entries": [{"id": "e"}, {"id": "f", "fields": [{"key": "a",
        "example": null, "reference": {"entity": "e", "matchOn": ["x"]},
        "valueDetectors": [{"kind": "builtin", "name": "int", "weight": 50}],
        "dropdownOptions": [{"label": "l", "type": "float", "value": 1e20}]}]}]}"""
    )
    draft = ContractDraft(
        "t", catalog, {"version": 1}, {"requiredColumns": []}, "2026-11-20T09:30:00Z"
    )

    answer = accept(signing.sign(content_of(draft, tenant="tnt_a", key_id=KEY_ID), SIGNER))

    assert answer["contract"]["catalog"] == [
        {"id": "e", "fields": []},
        {
            "id": "f",
            "fields": [
                {
                    "key": "a",
                    "columnType": "string",
                    "example": None,
                    "dropdownOptions": [{"label": "l", "type": "float", "value": 1e20}],
                    "valueDetectors": [{"kind": "builtin", "name": "int", "weight": 50}],
                    "reference": {
                        "entity": "e",
                        "matchOn": ["x"],
                        "cardinality": "one",
                        "onMissing": "error",
                    },
                }
            ],
        },
    ]


def test_the_other_signature_of_a_contract_proves_the_same_contract():
    sealed = json.loads(TEXT)
    signature = jws.decode(sealed["signature"]["signature"])
    r, s = signature[:32], int.from_bytes(signature[32:])
    sealed["signature"]["signature"] = jws.encode(r + (ORDER - s).to_bytes(32))
    twin = signing.open_bundle(json.dumps(sealed).encode())

    signing.verify(twin, KEYS)

    assert twin.contract.id == signing.open_bundle(TEXT.encode()).contract.id

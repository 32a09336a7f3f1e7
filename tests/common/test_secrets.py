import pytest
from cryptography.fernet import InvalidToken
from hypothesis import given
from hypothesis import strategies as st

from common.secrets import seal, unseal


@given(st.text())
def test_what_is_sealed_unseals(text):
    assert unseal(seal(text)) == text


def test_a_sealed_secret_shows_nothing_of_it():
    assert "whsec_hello" not in seal("whsec_hello")


def test_the_first_key_seals_and_every_key_unseals(settings):
    settings.ENCRYPTION_KEYS = ["old"]
    sealed_before = seal("secret")
    settings.ENCRYPTION_KEYS = ["new", "old"]
    sealed_after = seal("secret")

    assert unseal(sealed_before) == "secret"
    settings.ENCRYPTION_KEYS = ["new"]
    assert unseal(sealed_after) == "secret"
    with pytest.raises(InvalidToken):
        unseal(sealed_before)

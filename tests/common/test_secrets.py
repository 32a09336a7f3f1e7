import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.secrets import SecretUnreadable, key_id_of, seal, unseal


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
    with pytest.raises(SecretUnreadable) as unreadable:
        unseal(sealed_before)
    assert unreadable.value.key_id == key_id_of("old")
    assert unreadable.value.sentence.count(key_id_of("old")) == 1


def test_what_was_sealed_before_keys_had_ids_unseals_with_any_of_them(settings):
    settings.ENCRYPTION_KEYS = ["old"]
    token = seal("secret").partition(".")[2]

    settings.ENCRYPTION_KEYS = ["new", "old"]
    assert unseal(token) == "secret"
    settings.ENCRYPTION_KEYS = ["new"]
    with pytest.raises(SecretUnreadable):
        unseal(token)

"""Contracts and keys in the admin."""

import json

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from contracts.models import IssuedContract, SigningKey

pytestmark = pytest.mark.django_db
CONTRACTS, KEYS = "/admin/contracts/issuedcontract/", "/admin/contracts/signingkey/"


@pytest.fixture
def operator() -> Client:
    browser = Client()
    browser.force_login(get_user_model().objects.create_superuser("operator"))
    return browser


def filled(version, **members):
    return {"catalog_version": version.pk, "title": "", "required_columns": "", **members}


def test_an_operator_signs_a_contract_with_a_form(operator, version, profile):
    form = filled(version, profile=profile.pk, max_rows="7", encodings="utf-8, cp1252")
    form["required_columns"] = "No\nWho\n"

    page = operator.get(f"{CONTRACTS}add/")
    answer = operator.post(f"{CONTRACTS}add/", form)

    assert page.status_code == 200
    assert answer.status_code == 302, answer.content
    issued = IssuedContract.objects.get()
    assert json.loads(issued.bundle)["contract"]["policy"] == {
        "requiredColumns": ["No", "Who"],
        "maxRows": 7,
        "encodings": ["utf-8", "cp1252"],
    }
    assert issued.created_by["label"] == "operator"
    shown = operator.get(f"{CONTRACTS}{issued.pk}/change/")
    assert issued.contract_id in shown.content.decode()
    assert issued.contract_id in operator.get(CONTRACTS).content.decode()


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"encodings": "klingon"}, "Unknown encodings: klingon."),
        ({"expires_at_0": "2020-01-01", "expires_at_1": "00:00"}, "Choose a time in the future."),
        ({"max_rows": "0"}, "greater than or equal to 1"),
    ],
)
def test_what_cannot_be_signed_is_said_in_the_form(operator, version, members, expected):
    answer = operator.post(f"{CONTRACTS}add/", filled(version, **members))

    assert answer.status_code == 200
    assert expected in answer.content.decode()
    assert not IssuedContract.objects.exists()


def test_a_recipe_that_quotes_cells_is_refused_in_the_form(operator, version, profile):
    step = {"do": "map_values", "columns": ["Who"], "values": {"x": "y"}}
    profile.recipe = {"version": 1, "steps": [step]}
    profile.save()

    answer = operator.post(f"{CONTRACTS}add/", filled(version, profile=profile.pk))

    assert "quotes texts of cells" in answer.content.decode()


def test_keys_are_rotated_and_revoked_and_never_shown(operator, export):
    key = export().key

    shown = operator.get(f"{KEYS}{key.pk}/change/").content.decode()
    rotated = operator.post(KEYS, {"action": "rotate", "_selected_action": [key.pk]})
    operator.post(KEYS, {"action": "revoke", "_selected_action": [key.pk]})

    assert "PRIVATE" not in shown
    assert rotated.status_code == 302
    key.refresh_from_db()
    assert key.revoked_at is not None
    assert SigningKey.objects.filter(retired_at=None).count() == 1

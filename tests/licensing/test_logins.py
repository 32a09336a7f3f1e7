"""Guessing passwords is slow."""

from datetime import UTC, datetime

import pytest
from django.core.cache import cache

from common import clock
from licensing.people import logins
from licensing.people.logins import OF_A_NAME

pytestmark = pytest.mark.django_db
LOGIN = "/admin/login/"
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def no_login_was_tried(monkeypatch):
    cache.clear()
    # A window that ends between two tries would forget the first ones.
    monkeypatch.setattr(clock, "now", lambda: NOON)


@pytest.fixture
def admin(django_user_model):
    return django_user_model.objects.create_superuser("admin", password="right")


def tries(client, password: str, *, name: str = "admin", address: str = "203.0.113.1"):
    return client.post(LOGIN, {"username": name, "password": password}, REMOTE_ADDR=address)


def test_after_ten_failures_even_the_right_password_waits(admin, client):
    for _ in range(OF_A_NAME):
        tries(client, "wrong")

    answer = tries(client, "right")

    assert answer.status_code == 200
    assert "Too many tries. Wait" in answer.content.decode()


def test_another_address_is_not_kept_out(admin, client):
    for _ in range(OF_A_NAME + 1):
        tries(client, "wrong")

    assert tries(client, "right", address="203.0.113.2").status_code == 302


def test_logging_in_often_is_not_a_failure(admin, client):
    answers = {tries(client, "right").status_code for _ in range(OF_A_NAME + 5)}

    assert answers == {302}


def test_one_address_cannot_try_many_names(admin, client):
    for number in range(51):
        tries(client, "wrong", name=f"name{number}")

    assert "Too many tries" in tries(client, "right").content.decode()


def test_a_name_cannot_be_tried_from_many_addresses(admin, client, monkeypatch):
    monkeypatch.setattr(logins, "OF_A_NAME_ANYWHERE", 12)
    for number in range(12):
        tries(client, "wrong", address=f"203.0.113.{number}")

    kept_out = tries(client, "right", address="203.0.113.200")
    other = tries(client, "wrong", name="another", address="203.0.113.200")

    assert "Too many tries. Wait" in kept_out.content.decode()
    assert "Too many tries" not in other.content.decode()

"""Registering, rotating, deleting. Spec: Resources > Webhook registration."""

from contextlib import suppress
from datetime import timedelta
from functools import partial
from ipaddress import ip_network

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from common.actors import Actor
from common.errors import InvalidRequest, TooManyRequests
from common.models import Move
from deliveries import selectors, services
from deliveries.http.targets import vet_plain
from deliveries.models import Registration
from deliveries.services import registrations
from deliveries.services.attempt import secrets_of
from licensing.models import Tenant
from tests.at_once import at_once
from tests.deliveries.conftest import NOON, outcome

PERSON = Actor(kind="person", id="lic_1", label="Ada")


def test_a_registration_takes_submits_unless_told_otherwise(tenant):
    made = services.register(tenant=tenant, url="https://host.example/", at=NOON)

    assert made.registration.actions == ["submit"]
    assert made.secret.startswith("whsec_")
    assert made.registration.public_id.startswith("whk_")


def test_the_secret_is_not_in_the_database_in_clear(tenant):
    made = services.register(tenant=tenant, url="https://host.example/", at=NOON)

    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM deliveries_registration")
        (stored,) = cursor.fetchone()
    assert made.secret not in stored
    assert Registration.objects.get().secret == made.secret


def test_a_url_that_is_never_called_is_refused(tenant, settings):
    settings.WEBHOOK_ALLOW_NETWORKS = ()

    with pytest.raises(InvalidRequest) as refused:
        services.register(tenant=tenant, url="https://169.254.169.254/", at=NOON)

    assert refused.value.code == "url_refused"
    assert refused.value.members["errors"][0]["pointer"] == "/url"


@pytest.mark.parametrize(
    "spelling",
    [
        "https://host.example/apply",
        "HTTPS://Host.Example/apply",
        "https://host.example:443/apply",
        "https://host.example./apply",
        "https://host.example/old/../apply",
    ],
)
def test_a_url_is_registered_once_however_it_is_spelt(tenant, make_registration, spelling):
    first = make_registration("https://host.example/apply")

    with pytest.raises(services.AlreadyRegistered) as refused:
        services.register(tenant=tenant, url=spelling, at=NOON)

    assert refused.value.members == {"webhookId": first.public_id}


@pytest.mark.parametrize(
    "url",
    [
        "https://host.example/apply/",
        "https://host.example/Apply",
        "https://host.example/apply?a",
        "https://host.example:8443/apply",
    ],
)
def test_another_address_is_another_registration(make_registration, url):
    first = make_registration("https://host.example/apply")

    assert make_registration(url).url_key != first.url_key


def test_plain_http_and_tls_to_one_address_are_two_registrations(make_registration):
    plain, tls = make_registration("http://127.0.0.1/a"), make_registration("https://127.0.0.1/a")

    assert plain.url_key != tls.url_key


@pytest.mark.parametrize("url", ["http://host.invalid/apply", "http://127.0.0.1/apply"])
def test_plain_http_is_refused_where_the_operator_allows_no_network(tenant, settings, url):
    settings.WEBHOOK_ALLOW_NETWORKS = ()

    with pytest.raises(InvalidRequest, match="https"):
        services.register(tenant=tenant, url=url, at=NOON)


def test_plain_http_to_a_name_outside_the_allowed_networks_is_refused(tenant):
    with pytest.raises(InvalidRequest, match="only to networks that the operator allows"):
        services.register(tenant=tenant, url="http://host.invalid/apply", at=NOON)

    assert services.register(tenant=tenant, url="http://127.0.0.1:9/apply", at=NOON)


RULE = "IMPORT_WEBHOOK_ALLOW_NETWORKS"


@pytest.mark.parametrize(
    "url", ["https://10.0.0.7/", "http://93.184.216.34/", "http://host.invalid/", "https://[::1]/"]
)
@pytest.mark.parametrize("networks", [(), (ip_network("192.168.0.0/16"),)])
def test_what_a_network_of_the_operator_would_allow_names_the_setting(
    tenant, settings, url, networks
):
    settings.WEBHOOK_ALLOW_NETWORKS = networks

    with pytest.raises(InvalidRequest, match=RULE) as refused:
        services.register(tenant=tenant, url=url, at=NOON)

    assert refused.value.code == "url_refused"
    for language in ("de", "fr", "es"):
        text = refused.value.message.text(language)
        assert RULE in text
        assert text != refused.value.sentence


@pytest.mark.parametrize("url", ["ftp://host.example/", "https://ada@host.example/", "https://07/"])
def test_what_no_network_would_allow_does_not_name_the_setting(tenant, settings, url):
    settings.WEBHOOK_ALLOW_NETWORKS = ()

    with pytest.raises(InvalidRequest) as refused:
        services.register(tenant=tenant, url=url, at=NOON)

    assert RULE not in refused.value.sentence


def test_a_refusal_does_not_tell_whether_a_name_resolves(tenant, monkeypatch):
    sentences = set()
    for addresses in ([], ["10.0.0.7"], ["93.184.216.34"]):
        resolves = partial(vet_plain, resolve=lambda host, port, resolved=addresses: resolved)
        monkeypatch.setattr(registrations, "vet_plain", resolves)
        with pytest.raises(InvalidRequest) as refused:
            services.register(tenant=tenant, url="http://host.example/", at=NOON)
        sentences.add((refused.value.sentence, str(refused.value.members)))

    assert len(sentences) == 1


def test_a_url_is_free_again_once_it_is_deleted_and_for_every_tenant(tenant, make_registration):
    first = make_registration("https://host.example/apply")
    neighbour = Tenant.objects.create(public_id="tnt_neighbour", created_at=NOON)

    make_registration("https://host.example/apply", tenant=neighbour)
    services.delete_registration(registration=first, at=NOON)

    assert make_registration("https://host.example/apply") != first


def test_a_tenant_has_at_most_so_many_registrations(settings, make_registration):
    settings.MAX_REGISTRATIONS = 2
    first, _ = make_registration(), make_registration("https://host.example/b")

    with pytest.raises(services.TooManyRegistrations, match=r"limit reached \(2\)"):
        make_registration("https://host.example/c")

    services.delete_registration(registration=first, at=NOON)
    assert make_registration("https://host.example/c")


@pytest.mark.django_db(transaction=True)
def test_of_calls_that_race_for_a_url_one_has_it(tenant):
    def call() -> str:
        try:
            made = services.register(tenant=tenant, url="https://host.example/apply", at=NOON)
        except services.AlreadyRegistered as refused:
            return refused.members["webhookId"]
        except OperationalError:  # SQLite's in-memory test database locks whole tables
            return "locked"
        return made.registration.public_id

    answers = at_once(*[call] * 4)

    registered = Registration.objects.get().public_id
    assert set(answers) - {"locked"} == {registered}


@pytest.mark.django_db(transaction=True)
def test_calls_that_race_stay_within_the_limit(tenant, settings):
    settings.MAX_REGISTRATIONS = 2

    def call(number: int) -> None:
        with suppress(services.TooManyRegistrations, OperationalError):
            services.register(tenant=tenant, url=f"https://host.example/{number}", at=NOON)

    at_once(*[partial(call, number) for number in range(5)])

    assert 1 <= Registration.objects.count() <= 2


def test_the_database_itself_keeps_a_url_from_being_taken_twice(make_registration):
    first, second = make_registration(), make_registration()

    with pytest.raises(IntegrityError), transaction.atomic():
        Registration.objects.filter(pk=second.pk).update(url_key=first.url_key)


def test_only_registrations_that_asked_for_an_action_get_it(tenant, make_registration):
    both = make_registration(actions=["submit", "revert"])
    submit = make_registration()

    assert selectors.registrations_for(tenant, "revert", catalog_key="orders") == [both]
    assert selectors.registrations_for(tenant, "submit", catalog_key="orders") == [both, submit]


def test_a_registration_for_some_catalogs_gets_imports_into_these_only(tenant, make_registration):
    anything, orders = make_registration(), make_registration(catalog_keys=["orders", "orders"])

    assert orders.catalog_keys == ["orders"]
    assert selectors.registrations_for(tenant, "submit", catalog_key="orders") == [anything, orders]
    assert selectors.registrations_for(tenant, "submit", catalog_key="prices") == [anything]


def test_a_rotated_secret_signs_alone_at_once(make_registration):
    registration = make_registration()

    rotated = services.rotate(registration=registration, at=NOON)

    assert rotated.secret != registration.secret
    assert secrets_of(rotated.registration, at=NOON) == [rotated.secret]


def test_during_the_overlap_both_secrets_sign(make_registration):
    registration = make_registration()

    rotated = services.rotate(registration=registration, at=NOON, overlap_hours=2)

    both = [rotated.secret, registration.secret]
    end = NOON + timedelta(hours=2)
    assert secrets_of(rotated.registration, at=NOON) == both
    assert secrets_of(rotated.registration, at=end - timedelta(seconds=1)) == both
    assert secrets_of(rotated.registration, at=end) == [rotated.secret]


def test_a_rotation_without_overlap_ends_an_earlier_overlap(make_registration):
    registration = make_registration()
    services.rotate(registration=registration, at=NOON, overlap_hours=2)

    rotated = services.rotate(registration=registration, at=NOON)

    assert secrets_of(rotated.registration, at=NOON) == [rotated.secret]


def test_deleting_cancels_what_waits_and_keeps_the_log(tenant, make_registration, make_delivery):
    registration = make_registration()
    waiting = make_delivery(registration)
    settled = make_delivery(registration, **outcome("delivered"))
    elsewhere = make_delivery(make_registration())

    services.delete_registration(registration=registration, actor=PERSON, at=NOON)

    for delivery in (waiting, settled, elsewhere):
        delivery.refresh_from_db()
    assert [item.state for item in (waiting, settled, elsewhere)] == [
        "cancelled",
        "delivered",
        "pending",
    ]
    assert registration not in selectors.registrations_of(tenant)
    move = Move.objects.get(subject=waiting.public_id)
    assert (move.from_state, move.to_state, move.actor["label"]) == ("pending", "cancelled", "Ada")


def test_a_rotation_of_one_tenant_leaves_the_others_alone(make_registration):
    mine, other = make_registration(), make_registration()

    services.rotate(registration=mine, at=NOON)

    assert Registration.objects.get(pk=other.pk).secret == other.secret


def test_registrations_of_a_minute_are_limited_and_say_when_to_retry(tenant, settings):
    settings.WEBHOOK_CALLS_PER_MINUTE = 2
    for number, seconds in enumerate((0, 20)):
        at = NOON + timedelta(seconds=seconds)
        made = services.register(tenant=tenant, url=f"https://h.example/{number}", at=at)
        services.delete_registration(registration=made.registration, at=at)

    with pytest.raises(TooManyRequests) as refused:
        services.register(tenant=tenant, url="https://h.example/3", at=NOON + timedelta(seconds=25))

    assert (refused.value.code, refused.value.members["retryAfter"]) == ("registered_too_often", 35)
    services.register(tenant=tenant, url="https://h.example/3", at=NOON + timedelta(seconds=60))

"""A catalog may ask that no person publishes a draft that they edited."""

import json

import pytest

from catalogs import selectors, services
from catalogs.models import CatalogVersion
from common import clock
from common.actors import ENGINE, Actor
from licensing.models import Tenant
from licensing.refusals import SecondPersonNeeded

pytestmark = pytest.mark.django_db
ADA, BOB, CY = (Actor("person", f"user:{n}", name) for n, name in enumerate(("ada", "bob", "cy")))
RULE = {"above": 1000, "on": ["publish"]}


@pytest.fixture
def acme() -> Tenant:
    return Tenant.objects.create(public_id="tnt_acme", created_at=clock.now())


@pytest.fixture
def save(acme):
    def save(actor, rule, label="No."):
        field = {"key": "no", "label": label}
        document = {"entries": [{"id": "order", "fields": [field]}]}
        document |= {"secondPerson": rule} if rule else {}
        return services.save_draft(
            tenant=acme, key="t", text=json.dumps(document), at=clock.now(), actor=actor
        )

    return save


@pytest.fixture
def publish(acme):
    return lambda actor: services.publish(tenant=acme, key="t", at=clock.now(), actor=actor)


def test_a_person_does_not_publish_a_draft_of_their_own(save, publish):
    save(ADA, RULE)

    with pytest.raises(SecondPersonNeeded, match="edited this draft"):
        publish(ADA)
    assert publish(BOB).state == "published"


@pytest.mark.parametrize("rule", [None, {"above": 0}, {"above": 0, "on": ["apply", "revert"]}])
def test_a_person_publishes_alone_where_no_rule_is_about_it(save, publish, rule):
    save(ADA, rule)

    assert publish(ADA).state == "published"


def test_everyone_who_saved_the_draft_edited_it(save, publish):
    save(ADA, RULE)
    save(BOB, RULE, label="Number")
    save(ADA, RULE, label="Nr.")

    for editor in (ADA, BOB):
        with pytest.raises(SecondPersonNeeded):
            publish(editor)
    assert publish(CY).state == "published"


def test_no_person_drops_the_rule_alone_also_not_by_retiring_the_catalog(acme, save, publish):
    save(ADA, RULE)
    publish(BOB)
    save(ADA, None)
    services.retire(tenant=acme, key="t", at=clock.now(), actor=ADA)

    with pytest.raises(SecondPersonNeeded):
        publish(ADA)
    publish(BOB)
    save(ADA, None, label="Number")
    assert publish(ADA).state == "published"


def test_a_document_that_is_published_in_a_step_is_left_as_a_draft(acme, save, publish):
    text = json.dumps({"secondPerson": RULE, "entries": [{"id": "order", "fields": []}]})

    with pytest.raises(SecondPersonNeeded):
        services.publish_document(tenant=acme, key="t", text=text, at=clock.now(), actor=ADA)

    assert selectors.draft(acme, "t").editors == [ADA.as_dict()]
    assert publish(BOB).state == "published"


def test_who_restores_the_version_before_starts_the_draft_over(acme, save, publish):
    save(ADA, RULE)
    publish(BOB)
    save(ADA, RULE, label="Number")
    save(BOB, RULE, label="Nr.")
    services.restore_version(tenant=acme, key="t", number=1, at=clock.now(), actor=ADA)

    save(BOB, RULE, label="Nr")

    assert selectors.draft(acme, "t").editors == [BOB.as_dict()]
    with pytest.raises(SecondPersonNeeded):
        publish(BOB)
    assert publish(ADA).state == "published"


def test_the_engine_publishes_what_it_saved(save, publish):
    save(ENGINE, RULE)

    assert publish(ENGINE).state == "published"


def test_a_host_may_name_a_person_engine(save, publish):
    named = Actor("person", "engine", "engine")
    save(named, RULE)

    with pytest.raises(SecondPersonNeeded):
        publish(named)


def test_who_saved_it_last_edited_it_also_where_an_older_release_saved_it(acme, save, publish):
    save(ADA, RULE)
    CatalogVersion.objects.update(saved_by=BOB.as_dict())

    assert selectors.draft(acme, "t").editors == [ADA.as_dict(), BOB.as_dict()]
    with pytest.raises(SecondPersonNeeded):
        publish(BOB)

"""Texts that no option takes, as the questions of a tenant's imports have them."""

from datetime import timedelta

import pytest

from analytics.by_catalog import failed_texts
from common import clock
from common.ids import new_id
from ledger.models import Question
from licensing.models import Tenant
from pipeline.kind import text_fingerprint
from tests.analytics.orders import editor, published, receiver
from tests.imports.asked import Imported
from tests.imports.conftest import carry_on

__all__ = ["editor", "published", "receiver"]

pytestmark = pytest.mark.django_db
MAPPING = {"Nummer": "order.number", "Depot": "order.depot", "Status": "order.status"}
FILE = "Nummer;Depot;Status\nA1;k7;erledigt & zu\nA2;k9;Open\n"


def shown(tenant, key="orders", days=30):
    since = clock.now().date() - timedelta(days=days)
    return [
        (item.field, item.text, item.imports, item.undecided)
        for item in failed_texts.newest(tenant, key, since=since)
    ]


@pytest.fixture
def ask(owner):
    """Return a function that keeps the question which option a text is, of some imports."""

    def ask(text: str, imports: int, *, key: str = "orders", tenant=owner, **more) -> None:
        for _ in range(imports):
            Question.objects.create(
                public_id=new_id("qst_"),
                tenant=tenant,
                subject=new_id("rec_"),
                kind="category_value",
                field="order.status",
                evidence=[text],
                fingerprint=text_fingerprint("order.status", text, catalog_key=key),
                **{"state": "open", "asked_at": clock.now(), **more},
            )

    return ask


def test_a_text_that_real_imports_ask_about_is_counted(owner, client, published, receiver):
    for _ in range(3):
        made = Imported(client, FILE)
        client.put(made.url("mapping"), {"mapping": MAPPING}, format="json")
        carry_on(client, made.id)

    assert shown(owner) == [("order.status", "erledigt & zu", 3, 3)]


def test_a_text_of_fewer_imports_is_not_shown(owner, ask):
    ask("Ada Lovelace", failed_texts.LEAST_IMPORTS - 1)

    assert shown(owner) == []


def test_an_import_counts_once_and_spellings_count_together(owner, ask):
    ask("Zu", 2)
    ask("zu", 2, state="answered", answered_at=clock.now())

    ((_, _, imports, undecided),) = shown(owner)
    assert (imports, undecided) == (4, 2)


@pytest.mark.parametrize(
    "more",
    [
        {"learned_from": "ans_1"},  # the engine knew it
        {"key": "parcels"},  # of another catalog with the same field
        {"asked_at": clock.now() - timedelta(days=40)},
        {"text": "prose " * 50},
    ],
    ids=["remembered", "another catalog", "before", "prose"],
)
def test_what_does_not_fail_here_and_now_is_left_out(owner, ask, more):
    ask(more.get("text", "zu"), 3, **{name: v for name, v in more.items() if name != "text"})

    assert shown(owner) == []


def test_another_tenant_sees_nothing(owner, ask):
    ask("zu", 3)

    assert shown(Tenant.objects.create(public_id="tnt_other", created_at=clock.now())) == []


def test_what_is_deleted_with_its_import_is_counted_no_more(owner, ask):
    ask("zu", 3)
    Question.objects.first().delete()

    assert shown(owner) == []

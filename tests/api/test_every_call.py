"""
Every call of the OpenAPI document, with drawn and extreme values and four kinds of keys.

Each is answered, without a failure of the engine and with at most a megabyte.

Each run draws other calls. A failure prints the seed that repeats it: see CONTRIBUTING.md.
"""

import os
import secrets
import threading
from urllib.parse import urlencode

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import transaction
from rest_framework.test import APIClient

from common.response_size import MOST_BYTES
from licensing.models import Membership
from tests.api.documented import openapi_document
from tests.api.test_callers import question_about
from tests.api.test_isolation import owned
from tests.calls import Call, Drawing
from tests.imports.conftest import client, owner, publish, upload
from tests.tries import BEFORE_A_LANDING, tries
from workflow.worker import advance

__all__ = ["client", "owned", "owner", "publish", "upload"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
KEYS = ("license", "page", "agent", "staff")
CALLS = int(os.environ.get("CALLS", tries(300)))
LIFE = 100  # calls after which there are other imports
EXEMPT = ("catalogs/", "contracts", "openapi.json")  # a catalog is as large as it was sent


@pytest.fixture
def callers(owner, mint_key, client_of, owned) -> dict[str, APIClient]:
    """Return a client for each kind of key."""
    agent = mint_key(plan="enterprise", entitlements=("agentAccess", "agentMemory"))
    user = get_user_model().objects.create_user("operator", is_staff=True)
    user.groups.add(*Group.objects.all())
    Membership.objects.create(user=user, tenant=owner, role="editor")
    staff = APIClient(headers={"X-Import-Tenant": owner.public_id})
    staff.force_login(user)
    every = {
        "license": client_of(mint_key(plan="enterprise", entitlements=("catalogEditor",))),
        "page": client_of(""),
        "agent": client_of(agent),
        "staff": staff,
    }
    for item in every.values():
        item.raise_request_exception = False
    return every


@pytest.fixture
def make_known(owned, owner, callers, publish, upload):
    """Return a function that creates imports, and returns existing ids by the document's names."""

    def make() -> dict[str, list]:
        host = callers["license"]
        values = {place.strip("{}"): [value] for place, value in owned.items()}
        publish("orders")  # an earlier call may have retired it
        session = callers["agent"].post(f"{V1}/sessions", {"catalogKey": "orders"}, format="json")
        callers["page"].credentials(HTTP_AUTHORIZATION=f"Bearer {session.json()['token']}")
        review = upload("orders-cp1252.csv", catalogKey="orders", autoMap="true")["recordId"]
        about = {"text": "Auftrag;Kunde\n1;Anna\n", "catalogKey": "orders", "autoMap": True}
        by_page = callers["page"].post(f"{V1}/imports", about, format="json").json()["recordId"]
        advance(by_page)
        mapping = host.get(f"{V1}/imports/{review}/mapping").json()
        entries = host.get(f"{V1}/catalogs/orders").json()["entries"]
        fields = [f"{entry['id']}.{field['key']}" for entry in entries for field in entry["fields"]]
        values |= {"field": fields, "inFields": fields, "catalogKey": ["orders"], "key": ["orders"]}
        values |= {"revision": [1, 1, 1, 2], "row": [0, 1, 10**6]}
        values["column"] = [column["column"] for column in mapping["columns"]]
        values["record_id"] = [review, by_page]
        values["question_id"] = [question_about(item, owner) for item in (review, by_page)]
        return values

    return make


@pytest.fixture
def no_place_to_wait(monkeypatch) -> None:
    """Have ``?wait=`` answer at once, as when the maximum number of callers already waits."""
    places = threading.BoundedSemaphore(1)
    places.acquire()
    monkeypatch.setattr("schemas.wait._places", places)


@pytest.mark.usefixtures("no_place_to_wait")
@pytest.mark.parametrize("key", KEYS)
def test_no_call_fails_or_answers_with_more_than_a_megabyte(key, callers, make_known, settings):
    settings.RATE_PER_MINUTE = settings.PAGE_RATE_PER_MINUTE = 10**9
    number = int(os.environ.get("SEED") or (1 if BEFORE_A_LANDING else secrets.randbelow(2**32)))
    # Shown with a failure.
    print(f"Repeat with: CALLS={CALLS} SEED={number} pytest {__file__} -k '{key}]'")  # noqa: T201 (for people)
    answered = set()
    for life in range(max(1, CALLS // LIFE)):
        known = make_known()
        drawing = Drawing(openapi_document(), known, f"{number}:{key}:{life}")
        answered |= {answer_to(callers[key], call) // 100 for call in drawing.calls(LIFE)}
        for record_id in known["record_id"]:
            advance(record_id)

    assert answered >= {2, 4}


def answer_to(client: APIClient, call: Call) -> int:
    """Send a call; return its status, after checking what holds for every answer."""
    sent = call.form if call.form is not None else (call.body or b"")
    kind = "multipart" if call.form is not None else None
    about = {"format": kind} if kind else {"content_type": "application/json"}
    path = f"{call.path}?{urlencode(call.query, doseq=True, errors='replace')}"
    with transaction.atomic():
        answer = getattr(client, call.method)(path, sent, headers=call.headers, **about)

    text = b"" if answer.streaming else answer.content[:500]
    assert answer.status_code < 500, (call.text, text)
    if not answer.streaming and not call.path.removeprefix(f"{V1}/").startswith(EXEMPT):
        assert len(answer.content) <= MOST_BYTES, (call.text, len(answer.content))
    return int(answer.status_code)

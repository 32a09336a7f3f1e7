"""Every endpoint with every kind of caller: who is accepted, who is refused, and how."""

import pytest

from licensing.rights.model import RIGHTS, Pages
from licensing.rights.table import OPERATIONS
from tests.api.documented import openapi_document
from tests.api.test_isolation import owned
from tests.imports.conftest import client, owner, publish, upload

__all__ = ["client", "owned", "owner", "publish", "upload"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
ORIGIN = "https://shop.example"

# A page reaches these through its import: one delivery, and all of changesets except the list.
BY_TOKEN = (f"{V1}/imports/", f"{V1}/questions/", f"{V1}/changesets/", f"{V1}/deliveries/")


def every_operation() -> list[tuple[str, str]]:
    paths = openapi_document()["paths"]
    return [(method, path) for path, methods in paths.items() for method in methods]


BY_STATE = {"changesets_discard_create"}  # it needs a right; the state of a row tells which


def expected(kind: str, method: str, path: str) -> set[int] | None:
    """Return the expected statuses for a kind of caller; None if only the work decides."""
    operation = OPERATIONS[openapi_document()["paths"][path][method]["operationId"]]
    if operation.is_open:
        return None
    if kind in SHUT_OUT:
        return {401}
    if kind == "full key":
        return None
    shut = {Pages.NONE, Pages.KEYS if kind in SESSIONS else Pages.SESSIONS}
    if operation.pages in shut:
        return {403}
    # Sessions may do the rest unless they are restricted.
    rights = set(operation.needs) & set(RIGHTS)
    if rights and not operation.when and kind != "session with every right":
        return {403}
    if operation.name in BY_STATE and kind != "session with every right":
        return {403, 404}
    if path.startswith(BY_TOKEN) and kind not in REACHING:
        return {404}
    return None


@pytest.fixture
def page_import(publish, client_of, mint_key, django_capture_on_commit_callbacks) -> dict:
    """Create an import with a page key; return its id, its token and the key."""
    publish("orders")
    publish("prices")
    key = mint_key(origins=(ORIGIN,))
    made = client_of(key).post(
        f"{V1}/imports",
        {"text": "Artikel,Menge\nA,1\n", "catalogKey": "orders", "autoMap": True},
        format="json",
    )
    assert made.status_code == 202, made.content
    return {"key": key, **made.json()}


SESSIONS = {
    "session of the page": {},  # it made the import
    "session of the scope": {"scope": "customer-7"},
    "session with every right": {"scope": "customer-7", "rights": list(RIGHTS)},
    "another session": {},
    "session of another scope": {"scope": "customer-8"},
    "session of another catalog": {"scope": "customer-7", "catalogKey": "prices"},
    "ended session": {"scope": "customer-7"},
    "session of a revoked license": {"scope": "customer-7"},
}
SHUT_OUT = {
    "nobody",
    "revoked key",
    "session without login",
    "ended session",
    "session of a revoked license",
}
REACHING = {
    "page with its token",
    "session of the page",
    "session of the scope",
    "session with every right",
}
KINDS = (
    "nobody",
    "revoked key",
    "session without login",
    "full key",
    "page with its token",
    "page without a token",
    "page with another token",
    *SESSIONS,
)


@pytest.mark.parametrize("kind", KINDS)
def test_every_endpoint_lets_in_the_callers_of_the_table(
    kind, owned, page_import, client_of, mint_key, owner
):
    caller, made = make_caller(kind, page_import, client_of, mint_key)
    hand_over(owned, to=made)
    names = {**owned, "{question_id}": question_about(owned["{record_id}"], owner)}

    surprises = {}
    for method, path in in_harmless_order(every_operation()):
        wanted = expected(kind, method, path)
        address = path
        for name, value in names.items():
            address = address.replace(name, value)
        status = getattr(caller, method)(address, data={}, format="json").status_code
        is_fine = status in wanted if wanted is not None else status not in {401, 403, 500}
        if not is_fine:
            surprises[method, path] = status

    assert surprises == {}


def hand_over(owned, *, to):
    """Make everything of an import, rows included, look as if another owner had created it."""
    from deliveries.models import Delivery
    from imports.bulk_changes.model import BulkChange
    from imports.models import ImportRecord

    whose = ("session_id", "token_sha256", "scope", "license_id", "from_page")
    maker = ImportRecord.objects.values(*whose).get(public_id=to)
    ImportRecord.objects.filter(public_id=to).update(token_sha256="")
    ImportRecord.objects.filter(public_id=owned["{record_id}"]).update(**maker)
    BulkChange.objects.filter(public_id=owned["{change_id}"]).update(
        actor={"kind": "license", "id": maker["session_id"] or maker["license_id"]}
    )
    Delivery.objects.filter(public_id=owned["{delivery_id}"]).update(record_id=owned["{record_id}"])


def in_harmless_order(calls):
    """Return the calls with deleting and cancelling at the end."""
    return sorted(calls, key=lambda call: (call[0] == "delete", "cancel" in call[1], call[1]))


def question_about(record_id, owner) -> str:
    from common import clock
    from common.ids import new_id
    from ledger.models import Question

    question = Question.objects.create(
        public_id=new_id("qst_"), subject=record_id, tenant=owner, kind="option",
        fingerprint="f", state="open", asked_at=clock.now(),
    )  # fmt: skip
    return question.public_id


def make_caller(kind, page_import, client_of, mint_key):
    """Return a caller of a kind, and the import it calls about."""
    if kind in SESSIONS:
        return make_session(kind, client_of, mint_key)
    caller = make_key(kind, page_import, client_of, mint_key)
    if kind == "revoked key":
        caller.get(f"{V1}/license/verify")
        revoke_newest()
    return caller, page_import["recordId"]


def make_session(kind, client_of, mint_key):
    server = client_of(mint_key())
    scope = {} if kind in {"session of the page", "another session"} else {"scope": "customer-7"}
    maker = client_of(open_session(server, **scope)["token"])
    made = maker.post(
        f"{V1}/imports",
        {"text": "Artikel,Menge\nA,1\n", "catalogKey": "orders", "autoMap": True},
        format="json",
    )
    assert made.status_code == 202, made.content
    if kind == "session of the page":
        return maker, made.json()["recordId"]
    opened = open_session(server, **SESSIONS[kind])
    if kind == "ended session":
        assert server.delete(f"{V1}/sessions/{opened['id']}").status_code == 204
    if kind == "session of a revoked license":
        revoke_newest()
    return client_of(opened["token"]), made.json()["recordId"]


def open_session(server, **wanted) -> dict:
    opened = server.post(f"{V1}/sessions", wanted, format="json")
    assert opened.status_code == 201, opened.content
    return opened.json()


def revoke_newest():
    from common import clock
    from licensing.models import License
    from licensing.services import revoke_license

    revoke_license(license=License.objects.latest("pk"), reason="test", at=clock.now())


def make_key(kind, page_import, client_of, mint_key):
    if kind in {"nobody", "session without login"}:
        from rest_framework.test import APIClient

        caller = APIClient()
        if kind == "session without login":
            caller.credentials(HTTP_X_IMPORT_TENANT="tnt_owner")
        return caller
    if kind in {"full key", "revoked key"}:
        return client_of(
            mint_key(
                plan="enterprise",
                entitlements=("agentAccess", "catalogEditor", "feeds", "hostedLinks"),
            )
        )
    caller = client_of(page_import["key"])
    token = {"page with its token": page_import["importToken"], "page without a token": None}
    if (sent := token.get(kind, "imp_tok_another")) is not None:
        caller.credentials(
            HTTP_AUTHORIZATION=f"Bearer {page_import['key']}", HTTP_X_IMPORT_TOKEN=sent
        )
    return caller


def test_the_token_opens_nothing_for_another_key_of_the_same_page(page_import, client_of, mint_key):
    other = client_of(mint_key(origins=(ORIGIN,)))
    other.credentials(
        HTTP_AUTHORIZATION=other._credentials["HTTP_AUTHORIZATION"],
        HTTP_X_IMPORT_TOKEN=page_import["importToken"],
    )

    assert other.get(f"{V1}/imports/{page_import['recordId']}").status_code == 404


def test_the_token_opens_its_import_for_the_key_that_made_it(page_import, client_of):
    page = client_of(page_import["key"])
    page.credentials(
        HTTP_AUTHORIZATION=f"Bearer {page_import['key']}",
        HTTP_X_IMPORT_TOKEN=page_import["importToken"],
    )

    assert page.get(f"{V1}/imports/{page_import['recordId']}").status_code == 200


def test_an_import_of_the_server_is_not_there_for_a_page(publish, upload, page_import, client_of):
    record_id = upload("orders-cp1252.csv", catalogKey="orders")["recordId"]
    page = client_of(page_import["key"])

    assert page.get(f"{V1}/imports/{record_id}").status_code == 404


def test_the_token_is_shown_once_and_not_kept(page_import, client_of, mint_key):
    from imports.models import ImportRecord

    read = client_of(mint_key()).get(f"{V1}/imports/{page_import['recordId']}").json()
    kept = ImportRecord.objects.get(public_id=page_import["recordId"])

    assert "importToken" not in read
    assert page_import["importToken"] not in str(vars(kept))


def test_a_page_key_refused_says_what_to_do(page_import, client_of):
    answer = client_of(page_import["key"]).post(
        f"{V1}/webhooks", {"url": "https://evil.example/"}, format="json"
    )

    assert answer.status_code == 403
    assert answer.json()["code"] == "page_key_not_allowed"
    assert "server" in answer.json()["detail"]

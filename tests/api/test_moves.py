"""``may`` of an import: which moves the caller may make now, told before any is refused."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from imports.models import ImportRecord
from staging.models import Revision
from tests.api.test_page_rights import ORDERS, V1, edit, in_review, open_page, server
from tests.api.test_staff_rights import sign_in
from tests.imports.conftest import carry_on, client, owner, publish

__all__ = ["client", "in_review", "open_page", "owner", "publish", "server", "sign_in"]  # fixtures
pytestmark = pytest.mark.django_db
NONE = {"cancel": False, "undo": False, "redo": False}


def may(by, address):
    return by.get(address).json()["may"]


def travel(by, address, way):
    """Go one step, as a caller who may; give what may be done then."""
    assert may(by, address)[way]
    seen = {"revision": by.get(address).json()["revision"]}
    done = by.post(f"{address}/{way}", seen, format="json")
    assert done.status_code == 200, done.content
    return may(by, address)


def outcomes(by, address):
    """Try undo and redo, and give what was let in; what is done is taken back."""
    by_state = {}
    for way, back in (("undo", "redo"), ("redo", "undo")):
        seen = {"revision": by.get(address).json()["revision"]}
        by_state[way] = by.post(f"{address}/{way}", seen, format="json").status_code == 200
        if by_state[way]:
            seen = {"revision": by.get(address).json()["revision"]}
            assert by.post(f"{address}/{back}", seen, format="json").status_code == 200
    return by_state


def test_a_full_key_may_cancel_and_undo_whatever_others_did(server, open_page, in_review):
    address = in_review()
    assert may(server, address) == {"cancel": True, "undo": False, "redo": False}

    edit(open_page(), address)

    assert may(server, address) == {"cancel": True, "undo": True, "redo": False}
    assert travel(server, address, "undo") == {"cancel": True, "undo": False, "redo": True}
    assert travel(server, address, "redo") == {"cancel": True, "undo": True, "redo": False}


def test_a_session_may_cancel_and_undo_on_its_own_import(open_page, in_review):
    page = open_page()
    address = in_review(page)
    assert may(page, address) == {"cancel": True, "undo": False, "redo": False}

    edit(page, address)

    assert may(page, address) == {"cancel": True, "undo": True, "redo": False}
    assert travel(page, address, "undo") == {"cancel": True, "undo": False, "redo": True}


def test_a_session_may_not_cancel_the_hosts_import_without_the_right(open_page, in_review):
    address = in_review()

    assert may(open_page(), address) == NONE
    assert may(open_page(rights=["cancel"]), address) == {**NONE, "cancel": True}
    refused = open_page().post(f"{address}/cancel")
    assert refused.status_code == 403


def test_a_session_may_not_undo_what_another_did_without_the_right(server, open_page, in_review):
    page, other = open_page(), open_page(rights=["undoOthers"])
    address = in_review()
    edit(page, address)
    assert may(page, address)["undo"]

    edit(server, address, "Emil")

    assert may(page, address) == NONE
    assert may(other, address) == {**NONE, "undo": True}
    assert travel(other, address, "undo") == {**NONE, "undo": True, "redo": True}
    assert may(page, address) == {**NONE, "undo": True}  # its own lies below, the host's above


def test_a_member_of_the_staff_who_only_looks_may_move_nothing(server, in_review, sign_in):
    address = in_review()
    edit(server, address)

    assert may(sign_in("editor", "viewer"), address) == NONE
    assert may(sign_in("editor", "editor"), address) == {**NONE, "cancel": True, "undo": True}


@pytest.mark.parametrize("by_host", [True, False])
def test_what_it_says_is_what_the_calls_do(by_host, server, open_page, in_review):
    page = open_page()
    address = in_review()
    edit(server if by_host else page, address)

    for caller in (server, page):
        answer = may(caller, address)
        assert outcomes(caller, address) == {way: answer[way] for way in ("undo", "redo")}


def test_undo_passes_over_what_hosts_say_of_the_rows(server, open_page, in_review):
    page = open_page()
    address = in_review()
    edit(page, address)
    last = Revision.objects.latest("pk")
    check = Revision.objects.get(pk=last.pk)
    check.pk, check.kind, check.parent, check.number = None, "check", last.number, last.number + 1
    check.actor = {"kind": "system", "id": "engine", "label": ""}
    check.save(force_insert=True)
    ImportRecord.objects.update(revision=check.number)

    assert may(page, address) == {**NONE, "undo": True}


@pytest.mark.parametrize("state", ["applied", "cancelled", "reverted"])
def test_nothing_may_be_done_with_an_import_that_ended(state, server, in_review):
    address = in_review()
    edit(server, address)
    ImportRecord.objects.update(state=state)

    assert may(server, address) == NONE


def test_a_staged_import_is_cancelled_by_a_caller_who_may_release_it(open_page, in_review):
    page = open_page()
    address = in_review(page)
    ImportRecord.objects.update(state="staged")

    assert may(page, address) == NONE
    assert may(open_page(rights=["release"]), address) == {**NONE, "cancel": True}


def test_a_change_of_state_says_it_too(server, in_review):
    cancelled = server.post(f"{in_review()}/cancel").json()

    assert cancelled["may"] == NONE


def queries(by, address):
    with CaptureQueriesContext(connection) as captured:
        assert by.get(address).status_code == 200
    return len([item for item in captured if "staging_revision" in item["sql"]])


def test_only_rows_in_review_cost_a_query_and_many_imports_cost_what_one_does(server, in_review):
    body = {"text": ORDERS, "catalogKey": "orders"}
    waiting = server.post(f"{V1}/imports", body, format="json").json()["recordId"]
    carry_on(server, waiting)
    assert queries(server, f"{V1}/imports/{waiting}") == 0
    address = in_review()
    edit(server, address)
    queries_of_one = queries(server, f"{V1}/imports")

    in_review()
    edit(server, in_review())

    assert queries_of_one == queries(server, f"{V1}/imports") == queries(server, address) == 2

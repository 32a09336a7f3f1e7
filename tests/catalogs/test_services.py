"""Drafts are saved, compared, published and restored."""

import json

import pytest
from django.db import IntegrityError, transaction

from catalogs import selectors, services
from catalogs.errors import (
    CatalogInvalid,
    CatalogKeyRefused,
    DraftChanged,
    NoDraft,
    NotPublished,
    UnknownCatalog,
    UnknownVersion,
)
from catalogs.models import Catalog, CatalogVersion
from common.models import Move
from tests.catalogs.conftest import COLLEAGUE, EDITOR, LATER, NOON, text_of

State = CatalogVersion.State


def test_the_first_draft_makes_the_catalog_and_is_version_one(save, acme):
    draft = save()

    assert Catalog.objects.get().tenant == acme
    assert (draft.number, draft.state, draft.title) == (1, State.DRAFT, "People")
    assert draft.saved_by == EDITOR.as_dict()


def test_the_stored_text_names_all_top_level_members_first_and_keeps_the_rest_as_given(save):
    draft = save('{"entries": [{"fields": [], "id": "ä"}], "oops": 1.50}')

    assert draft.document == (
        '{"key":"people","title":"people","version":1,"keySeparator":".",'
        '"entries":[{"fields":[],"id":"ä"}],"oops":1.5}'
    )


def test_a_title_of_null_is_an_absent_one(save):
    assert '"title":"people"' in save('{"title": null, "entries": []}').document


def test_a_draft_that_was_not_changed_since_is_overwritten(save):
    first = save()
    second = save(text_of(title="Persons"), expected=first.etag, actor=COLLEAGUE)

    assert CatalogVersion.objects.get().title == "Persons"
    assert second.saved_by == COLLEAGUE.as_dict()
    assert second.etag != first.etag


@pytest.mark.parametrize("expected", [services.NONE, "0" * 64])
def test_a_draft_that_another_person_changed_is_not_overwritten(save, expected):
    save()

    with pytest.raises(DraftChanged):
        save(text_of(title="Mine"), expected=expected)
    assert CatalogVersion.objects.get().title == "People"


def test_a_draft_that_was_published_meanwhile_is_not_begun_again_by_accident(save, publish):
    etag = save().etag
    publish()

    with pytest.raises(DraftChanged):
        save(text_of(title="Mine"), expected=etag)


def test_saving_the_same_again_never_conflicts(save):
    first = save()

    assert save(expected="0" * 64).etag == first.etag


@pytest.mark.parametrize("key", ["", "a b", "a/b", "-a", "ä", "a" * 65, "schema", "infer", "a\n"])
def test_a_key_that_cannot_be_in_an_address_is_refused(save, key):
    with pytest.raises(CatalogKeyRefused):
        save("{}", key=key)
    assert not Catalog.objects.exists()


@pytest.mark.parametrize(
    ("text", "pointer", "code"),
    [
        ("[]", "", "wrong_type"),
        ("{", "", "malformed_json"),
        ('{"key": "other"}', "/key", "key_differs"),
        ('{"key": 1}', "/key", "key_differs"),
    ],
)
def test_what_is_not_this_catalog_is_not_saved(save, text, pointer, code):
    with pytest.raises(CatalogInvalid) as refused:
        save(text)

    assert [(f.pointer, f.code) for f in refused.value.findings] == [(pointer, code)]
    assert not Catalog.objects.exists()


def test_publishing_retires_the_former_version_and_keeps_its_text(publish):
    first = publish()
    second = publish(text_of(field="full_name"))

    first.refresh_from_db()
    assert (first.state, second.state, second.number) == (State.RETIRED, State.PUBLISHED, 2)
    assert (second.published_at, second.published_by) == (LATER, EDITOR.as_dict())
    assert json.loads(first.document)["entries"][0]["fields"] == [{"key": "name"}]
    moves = Move.objects.filter(subject=first.public_id).values_list("to_state", flat=True)
    assert list(moves) == ["published", "retired"]


def test_every_finding_blocks_publishing_and_the_draft_stays(save, acme):
    entries = [{"id": "", "fields": [{"key": "a", "columnType": "text"}]}]
    save(json.dumps({"entries": entries}))

    with pytest.raises(CatalogInvalid) as refused:
        services.publish(tenant=acme, key="people", at=LATER, actor=EDITOR)

    problem = refused.value.as_problem()
    assert (problem["status"], problem["code"]) == (409, "catalog_invalid")
    pointers = [error["pointer"] for error in problem["errors"]]
    assert pointers == ["/entries/0/id", "/entries/0/fields/0/columnType"]
    assert CatalogVersion.objects.get().state == State.DRAFT


def test_what_has_no_effect_is_published_with_a_warning(save, acme):
    rule = {"validate": "required_with", "columns": ["nobody"]}
    fields = [{"key": "a", "validations": [rule]}]
    save(json.dumps({"entries": [{"id": "person", "fields": fields}]}))

    version = services.publish(tenant=acme, key="people", at=LATER, actor=EDITOR)

    (finding,) = selectors.findings(version)
    assert (version.state, finding.severity) == (State.PUBLISHED, "warning")
    assert finding.pointer == "/entries/0/fields/0/validations/0/columns/0"


def test_a_draft_saved_while_it_is_checked_is_not_published(save, acme, monkeypatch):
    save()
    check = services.findings_in

    def check_slowly(text):
        save('{"entries": []}')
        return check(text)

    monkeypatch.setattr(services, "findings_in", check_slowly)

    with pytest.raises(DraftChanged):
        services.publish(tenant=acme, key="people", at=LATER, actor=EDITOR)
    assert not selectors.published_catalogs(acme).exists()


def test_publishing_what_one_has_not_seen_is_refused(save, acme):
    seen = save().etag
    save(text_of(title="Unseen"))

    with pytest.raises(DraftChanged):
        services.publish(tenant=acme, key="people", at=LATER, actor=EDITOR, expected=seen)


def test_publishing_without_a_draft_is_refused(publish, acme):
    publish()

    with pytest.raises(NoDraft):
        services.publish(tenant=acme, key="people", at=LATER, actor=EDITOR)


def test_a_catalog_of_another_tenant_is_not_there(publish, stranger):
    publish()

    with pytest.raises(UnknownCatalog):
        services.publish(tenant=stranger, key="people", at=LATER, actor=EDITOR)


def test_an_old_version_is_taken_up_again_as_a_draft(publish, acme):
    publish()
    publish(text_of(field="full_name"))

    draft = services.restore_version(tenant=acme, key="people", number=1, at=LATER, actor=EDITOR)

    assert (draft.state, draft.number) == (State.DRAFT, 3)
    assert draft.note == "Restored from version 1"
    assert json.loads(draft.document)["entries"][0]["fields"] == [{"key": "name"}]


def test_restoring_does_not_overwrite_a_draft_one_has_not_seen(publish, save, acme):
    publish()
    save(text_of(title="Carl's work"), actor=COLLEAGUE)

    with pytest.raises(DraftChanged):
        services.restore_version(
            tenant=acme, key="people", number=1, at=LATER, actor=EDITOR, expected=services.NONE
        )


def test_a_version_that_never_was_cannot_be_restored(publish, acme):
    publish()

    with pytest.raises(UnknownVersion):
        services.restore_version(tenant=acme, key="people", number=9, at=NOON, actor=EDITOR)


def test_publishing_the_same_document_again_makes_no_version(acme):
    def once():
        return services.publish_document(
            tenant=acme, key="people", text=text_of(), at=NOON, actor=EDITOR
        )

    assert once().pk == once().pk
    assert CatalogVersion.objects.count() == 1


def test_publishing_a_document_keeps_the_draft_of_another_person(save, acme):
    save(text_of(title="Carl's work"), actor=COLLEAGUE)

    with pytest.raises(DraftChanged):
        services.publish_document(tenant=acme, key="people", text=text_of(), at=NOON, actor=EDITOR)
    assert CatalogVersion.objects.get().title == "Carl's work"


def test_a_document_with_errors_is_neither_saved_nor_published(acme):
    with pytest.raises(CatalogInvalid):
        services.publish_document(
            tenant=acme, key="people", text='{"entries": 1}', at=NOON, actor=EDITOR
        )
    assert not Catalog.objects.exists()


@pytest.mark.parametrize("state", ["draft", "published"])
def test_the_database_itself_keeps_one_draft_and_one_published_version(publish, save, state):
    publish()
    save(text_of(title="Next"))
    twin = CatalogVersion.objects.get(state=state)
    twin.pk, twin.public_id, twin.number = None, "ctv_twin", 9

    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save()


def test_a_retired_catalog_is_out_of_use_and_the_other_is_the_only_one(publish, acme):
    publish(key="people")
    publish(key="orders")

    retired = services.retire(tenant=acme, key="people", at=LATER, actor=EDITOR, note="Merged")

    assert (retired.number, retired.state) == (1, "retired")
    assert selectors.choose(acme, None).version.catalog.key == "orders"
    with pytest.raises(UnknownCatalog):
        selectors.choose(acme, "people")
    move = Move.objects.get(subject=retired.public_id, to_state="retired")
    assert (move.reason, move.actor["label"]) == ("Merged", "Edith")


def test_a_retired_catalog_keeps_its_draft_and_comes_back_when_it_is_published(publish, save, acme):
    publish()
    draft = save(text_of(title="Persons"))
    services.retire(tenant=acme, key="people", at=LATER, actor=EDITOR)

    services.publish(tenant=acme, key="people", at=LATER, actor=EDITOR, expected=draft.etag)

    assert selectors.choose(acme, None).version.number == 2


def test_what_was_retired_can_be_published_again_as_it_was(publish, acme):
    publish()
    services.retire(tenant=acme, key="people", at=LATER, actor=EDITOR)

    again = services.publish_document(
        tenant=acme, key="people", text=text_of(), at=LATER, actor=EDITOR
    )

    assert (again.number, again.state) == (2, "published")


def test_only_what_is_published_can_be_retired(save, publish, acme, stranger):
    save()
    with pytest.raises(NotPublished):
        services.retire(tenant=acme, key="people", at=LATER, actor=EDITOR)

    publish()
    with pytest.raises(UnknownCatalog):
        services.retire(tenant=stranger, key="people", at=LATER, actor=EDITOR)
    services.retire(tenant=acme, key="people", at=LATER, actor=EDITOR)
    with pytest.raises(NotPublished):
        services.retire(tenant=acme, key="people", at=LATER, actor=EDITOR)


def test_what_an_option_says_of_itself_is_published_with_it(publish, acme):
    option = {"label": "One", "type": "int", "value": 1, "description": "The first of all"}
    fields = [{"key": "rank", "dropdownOptions": [option]}]
    text = json.dumps({"key": "people", "entries": [{"id": "person", "fields": fields}]})

    publish(text)

    (entry,) = selectors.published(acme, "people").catalog.entries
    assert entry.fields[0].dropdown_options[0].description == "The first of all"
    assert "The first of all" in selectors.published_version(acme, "people").document

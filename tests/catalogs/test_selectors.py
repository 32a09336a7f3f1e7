"""Which catalog an import uses."""

import pytest

from catalogs import selectors
from catalogs.errors import CatalogKeyRequired, NoCatalogPublished, UnknownCatalog
from tests.catalogs.conftest import text_of


def test_the_only_published_catalog_needs_no_name(publish, acme):
    version = publish()

    chosen = selectors.choose(acme, None)

    assert chosen.version == version
    assert list(chosen.catalog.fields_by_path) == ["person.name"]
    assert chosen.catalog.version == 1


def test_a_draft_is_not_chosen(save, acme):
    save()

    with pytest.raises(NoCatalogPublished):
        selectors.choose(acme, None)
    with pytest.raises(UnknownCatalog):
        selectors.choose(acme, "people")


def test_several_catalogs_are_named_for_the_caller_to_choose_from(publish, acme):
    publish(key="people")
    publish(key="orders")

    with pytest.raises(CatalogKeyRequired) as refused:
        selectors.choose(acme, None)

    assert refused.value.as_problem()["keys"] == ["orders", "people"]
    assert selectors.choose(acme, "orders").catalog.key == "orders"


def test_the_catalogs_of_another_tenant_do_not_count(publish, acme, stranger):
    publish()
    publish(key="theirs", tenant=stranger)

    assert selectors.choose(acme, None).catalog.key == "people"
    with pytest.raises(UnknownCatalog):
        selectors.choose(acme, "theirs")


def test_a_newer_draft_does_not_hide_the_published_version(publish, save, acme):
    publish()
    save(text_of(field="full_name"))

    assert list(selectors.published(acme, "people").catalog.fields_by_path) == ["person.name"]
    assert selectors.draft(acme, "people").number == 2
    assert [v.number for v in selectors.versions(acme, "people")] == [2, 1]

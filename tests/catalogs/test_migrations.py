"""What a migration does to stored catalogs."""

from importlib import import_module

from tabular.model.catalog import Catalog

BEFORE = {
    "key": "people",
    "title": None,
    "entries": [
        {
            "id": "person",
            "label": None,
            "fields": [
                {
                    "key": "boss",
                    "example": None,
                    "valueDetectors": None,
                    "reference": {
                        "entity": "person",
                        "matchOn": ["boss"],
                        "resolve": {"fuzzy": True},
                    },
                }
            ],
        }
    ],
}


def test_a_stored_catalog_that_said_null_can_be_read_again():
    without_null = import_module("catalogs.migrations.0002_members_without_null").without_null

    catalog = Catalog.model_validate(without_null(BEFORE), strict=False)

    (field,) = catalog.entries[0].fields
    assert field.reference.resolve.model_dump(exclude_none=True) == {
        "exact": True,
        "fuzzy": True,
        "learned": False,
    }

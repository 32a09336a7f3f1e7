"""What a field's own detectors do to the mapping."""

import orjson
import pytest

from tabular.matching import propose
from tabular.model.catalog import Catalog

SKUS = ["QX-1001", "QX-1002", "QX-2001"]
LOTS = ["L77", "L78", "L91"]


def sku(pattern=r"^QX-\d+$", **more):
    return {"kind": "regex", "pattern": pattern, **more}


def mapped(columns, *fields):
    catalog = {"key": "c", "entries": [{"id": "goods", "fields": list(fields)}]}
    return propose(
        tuple(columns),
        list(columns.values()),
        catalog=Catalog.model_validate_json(orjson.dumps(catalog)),
    )


@pytest.mark.parametrize("header", ["Column 1", "F3", "Qwrtz"])
def test_a_hit_decides_where_the_header_says_nothing(header):
    fields = ({"key": "alpha", "valueDetectors": [sku()]}, {"key": "beta"})

    assert mapped({header: SKUS}, *fields).mapping == {header: "goods.alpha"}
    assert mapped({header: LOTS}, *fields).mapping == {}


def test_a_detector_without_weight_in_it_never_decides():
    field = {"key": "alpha", "valueDetectors": [sku(weight=0)]}

    assert mapped({"Column 1": SKUS}, field).mapping == {}


def test_the_heavier_of_two_hits_decides():
    light = {"key": "alpha", "valueDetectors": [sku(weight=20)]}
    heavy = {"key": "beta", "valueDetectors": [sku(weight=90)]}

    assert mapped({"Column 1": SKUS}, light, heavy).mapping == {"Column 1": "goods.beta"}


@pytest.mark.parametrize(("least", "field"), [(0.6, {"Column 1": "goods.alpha"}), (0.8, {})])
def test_a_detector_needs_its_own_share_of_the_values(least, field):
    detecting = {"key": "alpha", "valueDetectors": [sku(minRatio=least)]}

    assert mapped({"Column 1": [*SKUS[:2], "other"]}, detecting).mapping == field


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_fields_with_one_name_the_one_whose_detector_fits_wins(order):
    plain = {"key": "a1", "label": "Article"}
    detecting = {"key": "a2", "label": "Article", "valueDetectors": [sku()]}

    proposal = mapped({"Article": SKUS}, *[plain, detecting][::order])

    assert proposal.mapping == {"Article": "goods.a2"}
    assert proposal.questions == ()


def test_an_exact_key_is_not_vetoed_by_its_detectors():
    field = {"key": "article", "valueDetectors": [sku()]}

    (column,) = mapped({"article": LOTS}, field).columns
    assert (column.field, column.score) == ("goods.article", 99.9)

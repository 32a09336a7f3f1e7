"""A catalog's own words tell its fields apart: no two read alike."""

from pathlib import Path

import pytest

from tabular.matching import propose
from tabular.model.catalog import Catalog
from tests.tabular.matching.exports import CATALOGS
from tests.tabular.matching.figures import catalog

ROOT = Path(__file__).parents[3]
FILES = sorted([*ROOT.glob("examples/catalogs/*.json"), *ROOT.glob("tests/**/catalog.json")])
WHOLE = [Catalog.model_validate_json(path.read_text("utf-8"), by_alias=True) for path in FILES]
ENTRIES = [
    pytest.param(whole, entry, id=f"{whole.key}.{entry.id}")
    for whole in (*WHOLE, *map(catalog, CATALOGS))
    for entry in whole.entries
]


@pytest.mark.parametrize("spelling", ["label", "key"])
@pytest.mark.parametrize(("whole", "entry"), ENTRIES)
def test_each_field_is_found_by_its_own_words_without_a_value(whole, entry, spelling):
    live = [field for field in entry.fields if not (field.hidden or field.disabled)]
    names = {getattr(field, spelling) or field.key: field for field in live}
    if len(names) < len(live):
        pytest.fail(f"Two fields have one {spelling}.")

    catalog = whole.model_copy(update={"entries": (entry,)})
    proposal = propose(tuple(names), [[""] * 3 for _ in names], catalog=catalog)

    wrong = {
        column.column: column.field
        for column in proposal.columns
        if column.field != f"{entry.id}{whole.key_separator}{names[column.column].key}"
    }
    assert wrong == {}

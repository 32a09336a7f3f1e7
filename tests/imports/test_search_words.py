"""A search finds values by the words that people see in their place."""

import pytest

from tests.imports.asked import Imported, publish_fields

pytestmark = pytest.mark.django_db
STATES = [
    {"type": "string", "label": "Open", "value": "o"},
    {"type": "string", "label": "Re-opened", "value": "r"},
    {"type": "string", "label": "Closed", "value": "c"},
]
SIZES = [
    {"type": "int", "label": "Small", "value": 1},
    {"type": "int", "label": "Large", "value": 2},
]
ROWS = """name,state,size,country,origin
Ada,Open,Small,DE,AUT
Bob,Closed,Large,FR,DEU
Cem,Re-opened,Large,,
Openshaw,Closed,,JP,FRA
"""


@pytest.fixture
def names_of(owner, client):
    publish_fields(
        owner,
        "name",
        {"key": "state", "columnType": "category", "dropdownOptions": STATES},
        {"key": "size", "columnType": "category", "dropdownOptions": SIZES},
        {"key": "country", "columnType": "country_code_alpha_2"},
        {"key": "origin", "columnType": "country_code_alpha_3"},
    )
    imported = Imported(client, ROWS)
    paths = {name: f"p.{name}" for name in ROWS.partition("\n")[0].split(",")}
    imported.put("mapping", {"mapping": paths})
    assert imported.state == "review", imported.record

    def search(text, field=None, language="en"):
        view = {"view": {"search": text, "field": field}}
        headers = {"Accept-Language": language}
        answer = client.post(imported.url("rows/query"), view, format="json", headers=headers)
        return [row["values"]["p.name"] for row in answer.json()["rows"]]

    return search


@pytest.mark.parametrize(
    ("text", "field", "language", "names"),
    [
        ("open", None, "en", ["Ada", "Cem", "Openshaw"]),  # by labels, and by a name
        ("open", "p.state", "en", ["Ada", "Cem"]),
        ("LARGE", None, "en", ["Bob", "Cem"]),
        ("germany", None, "en", ["Ada", "Bob"]),  # an alpha-2 and an alpha-3 code
        ("germany", "p.country", "en", ["Ada"]),
        ("reich", None, "de", ["Ada", "Bob", "Openshaw"]),  # Österreich, Frankreich, Frankreich
        ("reich", None, "en", []),
        ("deu", None, "en", ["Bob"]),  # delivered values are found as always
    ],
)
def test_rows_are_found_by_the_words_that_people_see(names_of, text, field, language, names):
    assert names_of(text, field, language) == names


def test_options_that_a_column_cannot_hold_do_not_end_a_search(owner, client):
    options = [{"label": "Red", "type": "int", "value": 7}]
    publish_fields(owner, {"key": "size", "columnType": "int", "dropdownOptions": options})
    given = [{"label": "Reed", "type": "string", "value": "reed"}, *options]
    imported = Imported(client, "size\nRed\n", context={"options": {"p.size": given}})
    imported.put("mapping", {"mapping": {"size": "p.size"}})

    answer = client.post(imported.url("rows/query"), {"view": {"search": "re"}}, format="json")

    assert answer.status_code == 200, answer.content

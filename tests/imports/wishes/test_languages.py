"""Who imports reads everything in their language; codes and what arrives never change with it."""

import pytest

from tests.imports.asked import publish_fields
from tests.imports.wishes.conftest import values

pytestmark = pytest.mark.django_db(transaction=True)  # the dispatcher's threads
OPTIONS = [{"label": "Red", "type": "string", "value": "red"}]
COLOUR = {"key": "colour", "columnType": "category", "dropdownOptions": OPTIONS}
DUE = {"key": "due", "columnType": "date", "required": True}
FILE = "Name,Due,Colour,Extra\nAda,01/02/2024,Rde,x\nBob,,Red,y\n"
SAID = {
    "de": ("Ein Wert ist erforderlich.", "Kein Feld passt", "Konflikt"),
    "fr": ("Une valeur est requise.", "Aucun champ ne convient", "Conflit"),
    "es": ("Se requiere un valor.", "Ningún campo encaja", "Conflicto"),
    "en": ("A value is required.", "No field fits", "Conflict"),
    "tlh, x-none;q=0.5": ("A value is required.", "No field fits", "Conflict"),
}


def seen(upload):
    """Return the codes and sentences that a person sees on the way to apply."""
    issues = [issue for row in upload.rows() for issue in row["issues"]]
    reasons = {column["column"]: column["reason"] for column in upload.mapping()["columns"]}
    refused = upload.apply().json()
    question = upload.question("date_order")
    codes = [issue["code"] for issue in issues], refused["code"], question["kind"]
    required = [issue["message"] for issue in issues if issue["code"] == "required"]
    sentences = (required[0], reasons["Extra"], refused["title"])
    return codes, sentences, (question["evidence"], question["candidates"][0]["effect"])


@pytest.mark.parametrize("language", SAID)
def test_a_person_reads_their_language_and_the_receiver_gets_the_same(
    owner, client, send, receiver, language
):
    publish_fields(owner, "name", DUE, COLOUR)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    upload = send(FILE, autoMap="true")

    codes, sentences, wording = seen(upload)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    english = seen(upload)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    body = upload.delivered_to(receiver, invalidRows="include", openQuestions="dismiss")

    assert sentences == SAID[language]
    assert codes == english[0]
    assert (wording == english[2]) == (SAID[language] == SAID["en"])
    assert values(body, "p.name", "p.due") == [("Ada", "2024-02-01"), ("Bob", None)]
    assert {issue["message"] for issue in body["rowIssues"] if issue["code"] == "required"} == {
        SAID["en"][0]}  # fmt: skip

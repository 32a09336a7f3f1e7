"""Who imports reads issues, reasons, questions and problems in their own language."""

import pytest

from tests.imports.asked import V1, Imported, publish_fields

OPTIONS = [{"label": "Red", "type": "string", "value": "red"}]
COLOUR = {"key": "colour", "columnType": "category", "dropdownOptions": OPTIONS}
DUE = {"key": "due", "columnType": "date", "required": True}
TEXT = "Name,Due,Colour,Extra\nAda,01/02/2024,Rde,x\nBob,,Green,y\n"


@pytest.fixture
def german(client):
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de-DE,de;q=0.9,en;q=0.5"
    return client


@pytest.mark.django_db
def test_a_person_reads_issues_reasons_questions_and_problems_in_german(owner, german):
    publish_fields(owner, "name", DUE, COLOUR)
    imported = Imported(german, TEXT, autoMap=True)

    page = german.post(imported.url("rows/query"), {}, format="json")
    groups = german.get(imported.url("issues")).json()["issues"]
    reasons = {column["column"]: column["reason"] for column in imported.mapping()["columns"]}
    question = imported.question("date_order")
    refused = imported.apply(applyMode="browser")

    messages = [issue["message"] for row in page.json()["rows"] for issue in row["issues"]]
    assert "Ein Wert ist erforderlich." in messages
    assert "Ein Wert ist erforderlich." in [group["message"] for group in groups]
    assert reasons["Name"].startswith("Gleicher Name")
    assert reasons["Extra"] == "Kein Feld passt"
    assert question["evidence"][0] == "1 Wert auf beide Arten lesbar"
    assert [candidate["effect"] for candidate in question["candidates"]] == [
        "1 Zeile so gelesen"
    ] * 2
    assert refused.json()["code"] == "open_questions"
    assert refused.json()["title"] == "Konflikt"
    assert refused.json()["detail"].endswith("die Standardwerte zu verwenden.")
    assert page.headers["Content-Language"] == "de"
    assert "Accept-Language" in page.headers["Vary"]


@pytest.mark.django_db
def test_what_a_request_lacks_is_said_in_german_at_its_place(owner, german):
    publish_fields(owner, "name")
    imported = Imported(german, "Name\nAda\n", autoMap=True)

    unknown = german.patch(imported.url("rows"), {"revision": "x", "odd": 1}, format="json").json()
    missing = german.patch(imported.url("rows"), {}, format="json").json()
    stranger = german.get(f"{V1}/imports/rec_nobody").json()

    assert unknown["detail"] == "Einige Angaben der Anfrage werden nicht akzeptiert."
    assert unknown["errors"] == [{"pointer": "/odd", "detail": "„odd“ ist keine bekannte Angabe."}]
    assert missing["errors"] == [{"pointer": "/revision", "detail": "„revision“ ist erforderlich."}]
    assert (stranger["code"], stranger["detail"]) == (
        "unknown_import", "Diesen Import gibt es nicht.")  # fmt: skip


@pytest.mark.django_db
def test_a_file_that_cannot_be_read_says_why_in_the_language_of_the_caller(owner, client):
    publish_fields(owner, "name")
    failed = Imported(client, " \n \n")

    body = {
        language: client.get(f"{V1}/imports/{failed.id}", HTTP_ACCEPT_LANGUAGE=language).json()[
            "problem"
        ]
        for language in ("en", "de", "fr", "es", "tlh")
    }

    assert body["en"] == body["tlh"]
    assert body["de"]["detail"] == "Diese Datei enthält nur Leerzeichen."
    assert body["fr"]["detail"] == "Ce fichier ne contient que des espaces."
    assert body["es"]["detail"] == "Este archivo solo contiene espacios."
    assert len({problem["code"] for problem in body.values()}) == 1


@pytest.mark.django_db
def test_an_export_gives_its_reasons_in_the_language_it_was_asked_in(owner, german):
    publish_fields(owner, "name", {**DUE, "columnType": "string"})
    imported = Imported(german, "Name,Due\nAda,\n", autoMap=True)

    lines = b"".join(german.get(imported.url("export?format=csv")).streaming_content).decode()

    assert "Ein Wert ist erforderlich." in lines


@pytest.mark.django_db
def test_what_a_person_typed_is_never_translated(owner, german):
    publish_fields(owner, "name", COLOUR)
    imported = Imported(
        german, "Name,Colour\nSame name,dates\nNo field fits,12 rows\n", autoMap=True
    )

    assert imported.values("p.name") == ["Same name", "No field fits"]
    questions = [q for q in imported.questions() if q["kind"] == "category_value"]
    assert {q["evidence"][0] for q in questions} <= {"dates", "12 rows"}
    assert {c["label"] for q in questions for c in q["candidates"] if c["value"]} <= {"Red"}

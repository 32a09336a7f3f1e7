"""A German answer contains no English sentence of the engine: all calls and tools are made."""

import json
import re

import pytest

from agents.call import call as call_tool
from common.http.language import using_language
from tests.agents.conftest import ENTITLED, HEADERS, MCP, make_agent
from tests.api import test_examples
from tests.api.test_examples import document, make
from tests.imports import test_questions as texts
from tests.imports.asked import Imported, publish_fields
from tests.imports.conftest import client, owner
from tests.wording import is_english

__all__ = ["client", "document", "make", "make_agent", "owner"]  # fixtures

pytestmark = pytest.mark.django_db
GERMAN = "de-DE,de;q=0.9,en;q=0.5"
ABOUT_THE_API = {"contracts_schema", "getCatalogSchema", "mcp"}  # descriptions, like OpenAPI's
ENGLISH = re.compile(
    r"\b(the|is|are|no|not|row|rows|column|columns|of|and|day|before|as|values|with|reads?"
    r"|stays?|wait|call|send)\b",
    re.IGNORECASE,
)
SAID = re.compile(r"/(evidence|label|effect)\b")
SHARE = {"key": "share", "columnType": "percentage"}
PHONE = {"key": "phone", "columnType": "phone"}
BORN = {"key": "born", "columnType": "date"}


def strings(answer, path=""):
    """Yield every text of an answer, with its path."""
    if isinstance(answer, dict):
        for name, value in answer.items():
            yield from strings(value, f"{path}/{name}")
    elif isinstance(answer, list):
        for number, value in enumerate(answer):
            yield from strings(value, f"{path}/{number}")
    elif isinstance(answer, str):
        yield path, answer


def left_in_english(answer):
    """Return the texts that are in the catalogue but were not translated."""
    return [f"{path}: {text}" for path, text in strings(answer) if is_english(text)]


def test_no_call_leaves_a_sentence_of_the_catalogue_in_english(make, tmp_path):
    make.client.defaults["HTTP_ACCEPT_LANGUAGE"] = GERMAN
    test_examples.catalogs(make)
    test_examples.trials(make)
    test_examples.sessions(make)
    test_examples.contracts(make)
    test_examples.entities(make)
    test_examples.webhooks(make)
    record_id = test_examples.questions(make)
    test_examples.reading(make)
    test_examples.review(make, record_id)
    test_examples.correct(make, tmp_path)
    test_examples.applying(make, record_id)
    test_examples.forgetting(make, record_id)
    make("events_list")

    answers = {
        n: exchange.get("answer")
        for n, exchange in make.exchanges.items()
        if n not in ABOUT_THE_API
    }
    assert len(answers) > 90
    assert left_in_english(answers) == []


ASKED = (
    texts.AMOUNTS,
    texts.STATES,
    texts.STREETS,
    "Name,Share\nAda,0.19\nBob,0.07\nCyd,1.5\n",
    "Name,Phone\nAda,030 901820\nBob,+49 89 233 00\n",
    "Name;Born;Net amount\nAda;01/02/2001;1.500\nBob;03/04/2001;2.250\n",
    "Ada,Oslo\nBob,Rome\nCyd,Paris\n",
    "Customer,2022,2023,2024\nAda,1,2,3\nBob,4,5,6\n",
    "Alpha,Beta\n1,x\n2,y\n",
)


@pytest.fixture
def questions(owner, client):
    """Return a function that returns the questions of many files in a language, by their ids."""
    must = {"key": "must", "label": "Must", "required": True}
    publish_fields(owner, *texts.amounts(), BORN, SHARE, texts.STATUS, PHONE, must)
    made = [Imported(client, text, autoMap=True) for text in ASKED]
    for imported in made:
        if imported.state == "mapping":
            imported.put("mapping", {**imported.mapping()["proposed"], "allowMissing": True})

    def questions(language):
        client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
        return {question["id"]: question for item in made for question in item.questions()}

    return questions


def test_every_kind_of_question_is_asked_in_german(questions):
    english, german = questions("en"), questions("de")
    body = {}
    for key, question in english.items():
        pairs = zip(strings(question), strings(german[key]), strict=True)
        body.setdefault(question["kind"], []).extend(
            (text, other) for (path, text), (_, other) in pairs if SAID.search(path)
        )

    assert body.keys() >= {
        "column", "columns", "date_order", "decimal_separator", "percent_scale", "region",
        "category_value", "header_row", "required_field",
    }  # fmt: skip
    both = {text for pairs in body.values() for text, other in pairs if text == other}
    assert {text for text in both if ENGLISH.search(text)} == set()
    assert all(any(text != other for text, other in pairs) for pairs in body.values())


def test_an_agent_is_answered_and_refused_in_german(owner, make_agent):
    publish_fields(owner, "name", BORN)
    agent = make_agent(**ENTITLED)
    calls = (
        ("analyze_file", {"text": "Name,Born\nAda,01/02/2001\nBob,x\n"}),
        ("analyze_file", {"text": " "}),
        ("propose_mapping", {"text": "Name,Born\nAda,01/02/2001\nBob,x\n"}),
        ("list_questions", {}),
        ("list_catalogs", {}),
        ("list_changesets", {}),
        ("get_changeset", {"changesetId": "chg_nope"}),
        ("resolved_mapping", {"recordId": "rec_nope"}),
        ("answer_question", {"questionId": "qst_nope"}),
        ("analyze_file", {"base64": "no base64!"}),
        ("analyze_file", {"path": "x"}),
        ("list_questions", {"cursor": "qst_nope"}),
    )

    with using_language("de"):
        answers = [json.loads(call_tool(agent.session, *call).text) for call in calls]
        made = {"recordId": answers[2]["recordId"]}
        for name in ("dry_run_transform", "resolved_references", "execute_import"):
            answers.append(json.loads(call_tool(agent.session, name, made).text))

    assert left_in_english(answers) == []
    steps = [item["nextStep"] for item in answers if "nextStep" in item]
    assert len(steps) >= 12
    assert {step for step in steps if ENGLISH.search(step)} == set()
    assert answers[-1]["detail"].startswith("Es ist kein Webhook registriert.")


def test_over_http_an_agent_speaks_as_its_header_asks(owner, mint_key, client_of):
    agent = client_of(mint_key("tnt_owner", **ENTITLED))
    call = {"name": "resolved_mapping", "arguments": {"recordId": "rec_nope"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}

    def answer_in(language):
        headers = {**HEADERS, "accept-language": language}
        sent = json.dumps(body)
        answer = agent.post(MCP, sent, content_type="application/json", headers=headers)
        return json.loads(answer.json()["result"]["content"][0]["text"])

    assert answer_in(GERMAN)["detail"] == "Diesen Import gibt es nicht."
    assert answer_in(GERMAN)["nextStep"].startswith("Rufen Sie analyze_file auf")
    assert answer_in("tlh") == answer_in("en") != answer_in("fr")
    assert {answer_in(item)["code"] for item in ("de", "en", "fr", "es")} == {"unknown_import"}

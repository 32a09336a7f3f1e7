"""``manage.py catalog``."""

import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from catalogs import selectors
from tests.catalogs.conftest import COLLEAGUE, text_of


@pytest.fixture
def run(acme, capsys):
    def _run(*words):
        call_command("catalog", *words, "--tenant", acme.public_id)
        return capsys.readouterr().out

    return _run


@pytest.fixture
def file_of(tmp_path):
    def _file_of(text):
        path = tmp_path / "catalog.json"
        path.write_text(text, "utf-8")
        return str(path)

    return _file_of


def test_a_file_is_published_once_listed_and_shown(run, file_of, acme):
    file = file_of(text_of())

    assert run("publish", file) == "people version 1 is published.\n"
    assert run("publish", file) == "people version 1 is published.\n"
    assert run("list") == "people\tpublished 1\tdraft -\n"
    assert json.loads(run("show", "people"))["entries"][0]["id"] == "person"
    assert selectors.published(acme, "people").version.published_by["id"] == "operator"


def test_findings_are_shown_at_their_line(run, file_of):
    file = file_of('{\n "key": "people",\n "entries": [\n  {"id": ""}\n ]\n}')

    with pytest.raises(CommandError, match="line 4, /entries/0/id: “id” must not be empty"):
        run("publish", file)


def test_a_key_may_come_from_the_command_line(run, file_of):
    file = file_of('{"entries": [{"id": "a", "fields": [{"key": "b"}]}]}')

    with pytest.raises(CommandError, match="--key"):
        run("publish", file)
    assert run("publish", file, "--key", "orders") == "orders version 1 is published.\n"


def test_a_draft_that_another_person_left_is_replaced_only_on_request(run, file_of, save):
    save(text_of(title="Carl's work"), actor=COLLEAGUE)
    file = file_of(text_of())

    with pytest.raises(CommandError, match="--replace-draft"):
        run("publish", file)
    assert run("publish", file, "--replace-draft") == "people version 1 is published.\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("show", "nothing"), "no published catalog"),
        (("publish", "/no/such/file"), "cannot be read"),
    ],
)
def test_a_refusal_is_a_sentence(run, words, sentence):
    with pytest.raises(CommandError, match=sentence):
        run(*words)


def test_an_unknown_tenant_is_refused(db):
    with pytest.raises(CommandError, match="no tenant 'tnt_nobody'"):
        call_command("catalog", "list", "--tenant", "tnt_nobody")


def test_a_catalog_is_retired(run, file_of, acme):
    run("publish", file_of(text_of()))

    assert run("retire", "people") == "people version 1 is retired; no new import uses it.\n"
    assert run("list") == "people\tpublished -\tdraft -\n"
    with pytest.raises(CommandError, match="nothing to retire"):
        run("retire", "people")


def test_the_row_type_is_printed_of_what_is_published(run, file_of):
    run("publish", file_of(text_of()))

    assert "export interface PeopleRow {" in run("types", "people", "--lang", "ts")
    assert json.loads(run("types", "people", "--lang", "jsonschema"))["title"] == "PeopleRow"
    with pytest.raises(CommandError, match="nowhere"):
        run("types", "nowhere", "--lang", "ts")

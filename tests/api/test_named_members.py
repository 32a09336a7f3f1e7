"""A refusal names the member it is about, in plain words and in the language of the caller."""

import json

import pytest
from rest_framework import serializers

from common.errors import InvalidRequest
from common.http.problems import pointers
from imports.customization import check_context
from tabular.model.catalog_findings import Finding, check_catalog
from tabular.model.sentences import LANGUAGES, translated
from tests.imports.conftest import client, owner

__all__ = ["client", "owner"]  # fixtures
V1 = "/api/import/v1"
NOT_USED = ("email", "slug", "uuid", "ip", "regex", "date", "time", "duration", "relat", "hyper")


class EveryKind(serializers.Serializer):
    """A member of each kind that shapes use."""

    text = serializers.CharField(min_length=2, max_length=3)
    character = serializers.CharField(min_length=1, max_length=1)
    url = serializers.URLField()
    whole = serializers.IntegerField(min_value=1, max_value=5)
    number = serializers.FloatField(min_value=0, max_value=1)
    flag = serializers.BooleanField()
    moment = serializers.DateTimeField()
    word = serializers.ChoiceField(choices=["a", "b"])
    words = serializers.MultipleChoiceField(choices=["a", "b"])
    texts = serializers.ListField(
        child=serializers.CharField(), min_length=2, max_length=2, allow_empty=False
    )
    items = serializers.ListField(child=serializers.IntegerField(), allow_empty=False)
    open = serializers.DictField(allow_empty=False)
    json = serializers.JSONField()
    file = serializers.FileField()


VALID = {"text": "ab", "character": "a", "url": "https://a.example", "whole": 1, "number": 0.5,
         "flag": True, "moment": "2026-01-01T00:00:00Z", "word": "a", "words": ["a"],
         "texts": ["a", "b"], "items": [1], "open": {"a": 1}, "json": {}}  # fmt: skip


def refusal_of(**wrong):
    shape = EveryKind(data={**VALID, **wrong})
    assert not shape.is_valid()
    return {pointer["pointer"]: pointer["detail"] for pointer in pointers(shape.errors)}


@pytest.mark.parametrize(
    ("wrong", "pointer", "sentence"),
    [
        ({"text": ""}, "/text", "“text” must not be empty."),
        ({"text": None}, "/text", "“text” must not be null."),
        ({"text": "a"}, "/text", "“text” must have at least 2 characters."),
        ({"text": "abcd"}, "/text", "“text” can have at most 3 characters."),
        ({"character": "ab"}, "/character", "“character” can have at most 1 character."),
        ({"text": [1]}, "/text", "“text” must be text."),
        ({"url": "x"}, "/url", "“url” must be an absolute URL."),
        ({"whole": "x"}, "/whole", "“whole” must be a whole number."),
        ({"whole": 0}, "/whole", "“whole” must be at least 1."),
        ({"whole": 6}, "/whole", "“whole” must be at most 5."),
        ({"whole": "9" * 2000}, "/whole", "“whole” must be a whole number."),
        ({"number": "x"}, "/number", "“number” must be a number."),
        ({"number": 2}, "/number", "“number” must be at most 1."),
        ({"flag": "x"}, "/flag", "“flag” must be true or false."),
        ({"moment": "x"}, "/moment", "“moment” must be a timestamp such as 2026-01-31T12:00:00Z."),
        ({"word": "c"}, "/word", "“c” is not a value of “word”."),
        ({"words": ["c"]}, "/words", "“c” is not a value of “words”."),
        ({"words": "a"}, "/words", "“words” must be a list."),
        ({"texts": []}, "/texts", "“texts” must not be an empty list."),
        ({"texts": ["a"]}, "/texts", "“texts” needs at least 2 items."),
        ({"texts": ["a"] * 3}, "/texts", "“texts” can have at most 2 items."),
        ({"texts": "a"}, "/texts", "“texts” must be a list."),
        ({"items": [1, "x"]}, "/items/1", "“items[1]” must be a whole number."),
        ({"open": []}, "/open", "“open” must be an object."),
        ({"open": {}}, "/open", "“open” must not be an empty object."),
        ({"json": {1, 2}}, "/json", "“json” must be JSON."),
        ({}, "/file", "“file” is required."),
        ({"file": "x"}, "/file", "“file” must be a file."),
    ],
)
def test_a_refused_member_is_named(wrong, pointer, sentence):
    detail = refusal_of(**wrong)

    assert detail[pointer] == sentence
    for language in LANGUAGES[1:]:
        assert translated(detail[pointer], language) != sentence


def test_no_sentence_of_the_framework_is_left():
    for kind in vars(serializers).values():
        if isinstance(kind, type) and issubclass(kind, serializers.Field):
            own = vars(kind).get("default_error_messages", {})
            name = kind.__name__.lower().replace("datetime", "moment")
            if not any(word in name for word in NOT_USED):
                assert all("{member}" in str(sentence) for sentence in own.values()), kind


def catalog_of(**field):
    return json.dumps({"key": "k", "entries": [{"id": "e", "fields": [{"key": "f", **field}]}]})


@pytest.mark.parametrize(
    ("field", "pointer", "sentence"),
    [
        ({"key": ""}, "/key", "“key” must not be empty."),
        ({"columnSize": 0}, "/columnSize", "“columnSize” must be greater than 0."),
        ({"label": 1}, "/label", "“label” must be text."),
        ({"labels": 1}, "/labels", "“labels” is not a known member."),
        ({"scope": "x"}, "/scope", "“scope” must be one of row or document."),
        (
            {"reference": {"entity": "a", "matchOn": [], "cardinality": "one",
                           "onMissing": "error"}},
            "/reference/matchOn",
            "“matchOn” needs at least one item.",
        ),
        (
            {"reference": {"entity": "a", "matchOn": [""], "cardinality": "one",
                           "onMissing": "error"}},
            "/reference/matchOn/0",
            "“matchOn[0]” must not be empty.",
        ),
        (
            {"valueDetectors": [{"kind": "regex", "pattern": "x" * 513}]},
            "/valueDetectors/0/pattern",
            "“pattern” can have at most 512 characters.",
        ),
    ],
)  # fmt: skip
def test_a_finding_in_a_catalog_names_its_member(field, pointer, sentence):
    catalog = check_catalog(catalog_of(**field))

    assert isinstance(catalog, tuple)
    assert [(item.pointer, item.sentence) for item in catalog] == [
        (f"/entries/0/fields/0{pointer}", sentence)
    ]
    for language in LANGUAGES[1:]:
        assert translated(catalog[0].sentence, language) != sentence


def test_a_context_names_its_members_too():
    with pytest.raises(InvalidRequest) as refused:
        check_context({"defaults": [], "x": 1}, check_catalog(catalog_of()))

    sent = refused.value.as_problem()["errors"]
    assert {error["pointer"]: error["detail"] for error in sent} == {
        "/context/defaults": "“defaults” must be an object.",
        "/context/x": "“x” is not a known member.",
    }


def test_a_document_that_is_not_an_object_is_told_without_a_member():
    assert check_catalog("[]") == (Finding("", "wrong_type", "This must be an object."),)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "“scope” must not be empty."),
        ("de", "„scope“ darf nicht leer sein."),
        ("fr", "«\u202fscope\u202f» ne doit pas être vide."),
        ("es", "«scope» no debe estar vacío."),
    ],
)
def test_a_refusal_over_http_names_the_member_in_the_callers_language(client, language, sentence):
    body = {"rows": [{"a": "1"}], "scope": ""}
    answer = client.post(
        f"{V1}/imports", body, format="json", headers={"accept-language": language}
    )

    assert answer.status_code == 400
    assert answer.json()["errors"] == [{"pointer": "/scope", "detail": sentence}]

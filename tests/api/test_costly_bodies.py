"""Refusing a body of a megabyte is cheap: expensive parts are limited before validation."""

import json
from unittest.mock import patch

import pytest
from rest_framework import serializers

from api.v1.http import json_body
from common.characters import MOST_PARTS
from common.errors import LONGEST_ECHO, MOST_LISTED, ServiceError
from schemas.shapes.review import rows as shapes
from schemas.shapes.strict import DictIn, ListIn, StrictIn
from tests.imports.conftest import carry_on, client, owner, publish

__all__ = ["client", "owner", "publish"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
SMALL = 150_000  # bytes of an answer: a hundred places, each with two short texts


def mapped(client, publish) -> str:
    publish("orders")
    answer = client.post(
        f"{V1}/imports",
        {"text": "Number,Amount\n1,2\n", "catalogKey": "orders"},
        format="json",
    )
    record_id = answer.json()["recordId"]
    carry_on(client, record_id)
    return f"{V1}/imports/{record_id}"


def sent(client, method: str, path: str, body: str):
    return getattr(client, method)(path, body, content_type="application/json")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("[" + "1," * MOST_PARTS + "1]", id="numbers"),
        pytest.param('{"meta": [' + "[]," * MOST_PARTS + "[]]}", id="empty lists"),
        pytest.param('{"a":' + "[" * 101 + "]" * 101 + "}", id="levels"),
    ],
)
def test_a_body_of_too_many_parts_is_not_even_parsed(client, body):
    with patch.object(json_body.JSONParser, "parse", side_effect=AssertionError("parsed")):
        answer = sent(client, "post", f"{V1}/imports", body)

    assert answer.status_code in {400, 413}, answer.content
    assert len(answer.content) < SMALL


def test_marks_within_a_text_are_not_parts(client, publish):
    publish("orders")
    text = "Number,Amount\n" + "1,2\n" * (MOST_PARTS // 2)

    answer = client.post(f"{V1}/imports", {"text": text, "catalogKey": "orders"}, format="json")

    assert answer.status_code == 202


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        pytest.param("patch", "/rows", {"revision": 1, "edits": [1] * 100_000}, id="edits"),
        pytest.param(
            "patch",
            "/rows",
            {"revision": 1, "edits": [{"row": "a", "field": [], "text": 1}] * 9_000},
            id="wrong edits",
        ),
        pytest.param(
            "patch", "/rows", {"revision": 1, "exclude": ["a"] * 9_000}, id="wrong numbers"
        ),
        pytest.param(
            "patch", "/rows", {"a" * 1000 + str(n): 1 for n in range(900)}, id="unknown members"
        ),
        pytest.param(
            "put", "/mapping", {"mapping": {f"x{n}": f"y{n}" for n in range(40_000)}}, id="columns"
        ),
        pytest.param(
            "put",
            "/mapping",
            {"mapping": {"Number": "a" * 900_000}},
            id="one long name",
        ),
        pytest.param(
            "put",
            "/mapping",
            {"mapping": {}, "recipe": {"version": 1, "steps": [{"do": "x"}] * 60_000}},
            id="steps",
        ),
        pytest.param(
            "put",
            "/mapping",
            {"mapping": {}, "recipe": {"version": 1, "steps": [{"do": "x" * 4_000}] * 200}},
            id="long steps",
        ),
    ],
)
def test_what_is_wrong_is_told_of_the_first_hundred_and_in_short(
    client, publish, method, path, body
):
    record = mapped(client, publish)

    answer = sent(client, method, record + path, json.dumps(body))

    assert 400 <= answer.status_code < 500, answer.content[:500]
    assert len(answer.content) < SMALL
    assert len(answer.json().get("errors", ())) <= MOST_LISTED


@pytest.mark.parametrize(
    ("shape", "body"),
    [
        pytest.param(shapes.EditIn, {"revision": 1, "edits": [{"row": "a"}] * 10_000}, id="kinds"),
        pytest.param(shapes.EditIn, {"revision": 1, "edits": [{"row": -1}] * 10_000}, id="values"),
        pytest.param(shapes.EditIn, {"revision": 1, "exclude": [-1] * 10_000}, id="numbers"),
    ],
)
def test_the_judge_of_a_list_stops_at_a_hundred_wrong_items(shape, body):
    judged = shape(data=body)

    assert not judged.is_valid()

    (wrong,) = judged.errors.values()
    assert len(wrong) == MOST_LISTED


def test_a_list_that_is_too_long_is_not_judged_item_by_item():
    class Item(serializers.IntegerField):
        def run_validation(self, data=None):
            raise AssertionError("an item was judged")

    class Body(StrictIn):
        numbers = ListIn(child=Item(), max_length=10)

    judged = Body(data={"numbers": [1] * 11})

    assert not judged.is_valid()
    assert "10" in str(judged.errors["numbers"])


def test_every_list_and_object_of_a_body_stops_early():
    loose = [
        f"{shape.__name__}.{name}"
        for shape in _all_of(StrictIn)
        for name, field in shape().fields.items()
        for part in _within(field)
        if isinstance(part, serializers.ListField | serializers.DictField)
        and not isinstance(part, ListIn | DictIn)
    ]

    assert loose == []


def _all_of(shape: type) -> list[type]:
    return [each for subclass in shape.__subclasses__() for each in (subclass, *_all_of(subclass))]


def _within(field) -> list:
    child = getattr(field, "child", None)
    return [field, *(_within(child) if child is not None else ())]


def test_what_goes_out_with_an_error_is_short():
    error = ServiceError("said", text="a" * 10_000, errors=[{"pointer": "b" * 10_000}] * 10_000)

    problem = error.as_problem()

    assert len(problem["detail"]) == len(problem["errors"][0]["pointer"]) == LONGEST_ECHO + 1
    assert len(problem["errors"]) == MOST_LISTED


def test_a_body_is_utf_8_whatever_its_head_says(client):
    body = json.dumps({"text": "a"}).encode("utf-16")

    answer = client.generic("POST", f"{V1}/imports", body, "application/json; charset=utf-16")

    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_body")

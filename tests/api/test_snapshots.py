"""The promises of v1 hold: nothing of its schemas is removed, renamed or newly required."""

import copy
import json

import pytest

from tests.api import snapshot

NOW = {"http": snapshot.operations, "delivery": snapshot.delivery}


def broken(promised: dict, now: dict) -> list[str]:
    """Return what a caller of the promised schemas would miss."""
    missing = []
    for operation, places in promised.items():
        current = now.get(operation, {})
        for place, kind in places.items():
            if place.endswith(" required"):
                continue  # requiring less is compatible
            if place.startswith("request ") and current.get(place) == f"null or {kind}":
                continue  # accepting more is compatible
            if place.startswith("answer ") and place in current and kind == "any":
                continue  # describing more closely what is answered is compatible
            if current.get(place) != kind:
                missing.append(f"{operation}: {place} was {kind}, is {current.get(place)}")
        demanded = {p for p in current if p.startswith("request ") and p.endswith(" required")}
        required = {p for p in demanded - places.keys() if p.removesuffix(" required") in places}
        missing += [f"{operation}: {place}" for place in sorted(required)]
    return missing


def promised(name: str) -> dict:
    return json.loads((snapshot.FOLDER / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize("name", NOW)
def test_nothing_that_was_promised_is_gone(name):
    assert broken(promised(name), NOW[name]()) == []


@pytest.mark.parametrize("name", NOW)
def test_what_is_new_is_written_down(name):
    former = promised(name)
    new = {
        f"{operation}: {place}"
        for operation, places in NOW[name]().items()
        for place in places
        if place not in former.get(operation, {})
    }

    assert new == set(), "python -m tests.api.snapshot writes it down"


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("answer 200 application/json .state", None),  # removed
        ("answer 200 application/json .size", "string"),  # of another type
        ("answer 200", None),
    ],
)
def test_a_removal_or_another_type_would_be_noticed(place, kind):
    shapes = promised("http")
    changed = copy.deepcopy(shapes)
    del changed["GET /imports/{record_id}"][place]
    if kind is not None:
        changed["GET /imports/{record_id}"][place] = kind

    assert len(broken(shapes, changed)) == 1


def test_a_member_that_is_newly_required_would_be_noticed():
    shapes = promised("http")
    changed = copy.deepcopy(shapes)
    changed["POST /imports"]["request application/json .filename required"] = "yes"

    assert broken(shapes, changed) == ["POST /imports: request application/json .filename required"]

"""The document that the generators of clients get."""

from typing import Any

from drf_spectacular.generators import SchemaGenerator

from scripts import client_document

TEXT = {"type": "string"}


def answers() -> dict[str, Any]:
    """Return the components that clients in Python read, by name."""
    whole = SchemaGenerator().get_schema(request=None, public=True)
    components: dict[str, Any] = client_document.for_python(whole)["components"]["schemas"]
    return components


def test_a_closed_list_with_a_description_is_any_text_in_an_answer() -> None:
    """The generator takes an ``allOf`` of a text for an object, and fails at the answer."""
    mode = answers()["OpenedSessionOut"]["properties"]["mode"]

    assert mode["type"] == "string"
    assert "allOf" not in mode


def test_no_component_combines_a_shape_without_a_name() -> None:
    named = answers()
    combined = {
        name: member["allOf"]
        for name, shape in named.items()
        for member in shape.get("properties", {}).values()
        if isinstance(member, dict) and "allOf" in member
    }

    assert [name for name, parts in combined.items() if TEXT in parts] == []


def test_an_object_with_a_choice_of_members_keeps_its_members() -> None:
    """The generator takes an object with such a rule for any value."""
    named = answers()

    assert "catalogKey" in named["ImportInRequest"]["properties"]
    assert "actions" in named["RegistrationInRequest"]["properties"]
    with_choice = [name for name, shape in named.items() if {"oneOf", "anyOf"} & set(shape)]
    assert [name for name in with_choice if "properties" in named[name]] == []


def test_each_alternative_of_a_component_has_a_name() -> None:
    """The generator drops an alternative without a name whose members are objects."""
    named = answers()
    several = [choice for shape in named.values() for choice in shape.get("oneOf", [])]

    assert [choice for choice in several if "properties" in choice] == []
    assert named["ConvertInRequestType1"]["required"] == ["jsonSchema"]


def test_an_answer_of_an_older_engine_may_lack_any_member() -> None:
    named = answers()

    assert "required" not in named["ImportOut"]
    assert "deliveryId" in named["DeliveryEvent"]["required"]  # nothing is a delivery without it
    assert named["TrialUploadRequest"]["required"] == ["file"]  # what is sent keeps its rules
    assert "required" in named["PreviewOut"]  # an edit answers this, or what was changed

"""The registry: the tools of the specification, described for models."""

import pytest
from jsonschema import Draft202012Validator

from agents.registry import BY_NAME, TOOLS
from agents.schemas import schema_of
from licensing.tokens.keys import AGENT_ACCESS

NAMES = [
    "analyze_file",
    "list_catalogs",
    "propose_mapping",
    "resolved_mapping",
    "dry_run_transform",
    "resolved_references",
    "get_plan",
    "execute_import",
    "list_questions",
    "answer_question",
    "dismiss_question",
    "list_changesets",
    "get_changeset",
    "get_proof",
    "revert_changeset",
]
WRITES = {"answer_question", "dismiss_question", "execute_import", "revert_changeset"}
EACH = pytest.mark.parametrize("tool", TOOLS, ids=[tool.name for tool in TOOLS])


def test_there_are_the_tools_of_the_specification_in_its_order():
    assert [tool.name for tool in TOOLS] == NAMES


def test_what_writes_is_the_write_surface():
    writing = {tool.name for tool in TOOLS if tool.operation.entitlement == AGENT_ACCESS}

    assert writing == WRITES


@EACH
def test_a_tool_takes_and_gives_an_object_of_a_valid_schema(tool):
    for shape, direction in ((tool.takes, "request"), (tool.gives, "response")):
        schema = schema_of(shape, direction)
        Draft202012Validator.check_schema(schema)

        assert schema["type"] == "object"
        assert not {"oneOf", "anyOf", "allOf"} & schema.keys()  # several clients refuse these here


@EACH
def test_a_tool_refuses_members_it_does_not_know(tool):
    assert schema_of(tool.takes, "request")["additionalProperties"] is False


@EACH
def test_a_description_names_no_tool_that_is_not_there(tool):
    import re

    named = set(re.findall(r"[a-z]+_[a-z_]+", tool.purpose))

    assert named <= BY_NAME.keys()


@EACH
def test_every_argument_is_explained(tool):
    members = schema_of(tool.takes, "request").get("properties", {})
    bare = {name for name, schema in members.items() if "description" not in schema}

    assert bare - {"state", "value", "remember"} == set()


def test_every_next_step_names_tools_there_are():
    import re

    from agents.refusals import NEXT_STEPS, OF_ENTITLEMENTS

    text = " ".join([*NEXT_STEPS.values(), *OF_ENTITLEMENTS.values()])

    assert set(re.findall(r"[a-z]+_[a-z_]+", text)) <= BY_NAME.keys()

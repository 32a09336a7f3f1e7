"""The field model as JSON Schema, made from the same classes that check a catalog."""

from typing import Any

from tabular.model.catalog import Catalog
from tabular.model.catalog_members import MEMBERS


def catalog_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of a catalog document."""
    schema = Catalog.model_json_schema(by_alias=True)
    for name, members in MEMBERS.items():
        properties = (schema if name == "Catalog" else schema["$defs"][name])["properties"]
        for member, (description, example) in members.items():
            # Beside a $ref, too: 2020-12 reads both.
            properties[member] |= {"description": description, "examples": [example]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}

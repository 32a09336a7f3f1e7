"""The field model as JSON Schema, made from the same classes that check a catalog."""

from typing import Any

from tabular.model.catalog import Catalog


def catalog_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of a catalog document."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Catalog.model_json_schema(by_alias=True),
    }

"""The OpenAPI document, created once: nothing changes it while tests run."""

from functools import cache

from drf_spectacular.generators import SchemaGenerator


@cache
def openapi_document() -> dict:
    """Return the OpenAPI document; do not modify it."""
    return SchemaGenerator().get_schema(public=True)

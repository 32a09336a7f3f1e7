"""What the API says of itself, made once: nothing changes it while tests run."""

from functools import cache

from drf_spectacular.generators import SchemaGenerator


@cache
def openapi_document() -> dict:
    """Give the OpenAPI document; only to be read."""
    return SchemaGenerator().get_schema(public=True)

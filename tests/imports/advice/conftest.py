"""A model that the engine of a test asks."""

from collections.abc import Iterator
from ipaddress import ip_network

import pytest

from imports.advice import client as calls
from tests.imports.advice.models import ModelServer, running_model


@pytest.fixture
def model(settings) -> Iterator[ModelServer]:
    """Start a model and name it in the settings."""
    with running_model() as model:
        settings.MODEL_URL, settings.MODEL_NAME, settings.MODEL_KEY = model.url, "small-1", "sesame"
        settings.MODEL_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
        calls._client_of.cache_clear()
        yield model
        calls._client_of.cache_clear()

"""A host that accepts what an import delivers."""

import json

from deliveries.services.attempt import new_client
from deliveries.services.dispatch import Dispatcher
from tests.receiving import assert_delivery


def delivered_to(host, url: str | None = None) -> list[dict]:
    """Send what is due; return the bodies that the host accepted, in order."""
    Dispatcher(client=new_client()).run()
    for item in host.received:
        assert_delivery(item, url=url or host.url)
    return [json.loads(item.body) for item in host.received]

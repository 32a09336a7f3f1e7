"""The first page of an import in a new process; reads what it asks, prints seconds, as JSON."""

from __future__ import annotations

import json
import sys
import time

import django
from django.conf import settings


def main(key: str, public: str, url: str, offset: int) -> None:
    """Call what needs no file of the import, then time its page and the next one."""
    django.setup()
    settings.ALLOWED_HOSTS = ["testserver"]
    from rest_framework.test import APIClient

    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
    settings.LICENSE_PUBLIC_KEY = public
    spent = []
    if (answer := client.get(url.rstrip("/"))).status_code != 200:
        raise SystemExit(f"the import was answered with {answer.content[:200]!r}")
    for at in (offset, offset + 100):
        start = time.perf_counter()
        answer = client.post(f"{url}rows/query", {"offset": at, "limit": 100}, format="json")
        spent.append(time.perf_counter() - start)
        if answer.status_code != 200:
            raise SystemExit(f"a page was answered with {answer.status_code}")
    print(json.dumps(spent))


if __name__ == "__main__":
    main(**json.load(sys.stdin))

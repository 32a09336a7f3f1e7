"""Serve the built documentation at ``/docs``. The pages are those of ``make docs``."""

from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

PREFIX = "/docs/"
FIRST = f"{PREFIX}index.html"
MISSING = "The documentation is not built. Run `make docs`, then load this page again.\n"
UNKNOWN = f"There is no such page in the documentation. Start at {PREFIX}\n"


def folder() -> Path:
    """Return where the built pages are."""
    return Path(settings.BASE_DIR) / "docs" / "_site"


def missing(request: HttpRequest, page: str = "") -> HttpResponse:
    """
    Answer for a page that is not there.

    A folder leads to its first page. Otherwise the answer says how to build the site, or where it
    starts.
    """
    if (index := _index_of(page)) is not None:
        return HttpResponseRedirect(f"{PREFIX}{index}")
    message = UNKNOWN if (folder() / "index.html").is_file() else MISSING
    return HttpResponse(message, status=404, content_type="text/plain; charset=utf-8")


def _index_of(page: str) -> str | None:
    parts = [part for part in page.split("/") if part]
    if not parts or ".." in parts:
        return None
    index = "/".join([*parts, "index.html"])
    return index if (folder() / index).is_file() else None

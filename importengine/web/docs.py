"""Serve the built documentation at ``/docs``. The pages are those of ``make docs``."""

from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse

PREFIX = "/docs/"
FIRST = f"{PREFIX}index.html"
MISSING = "The documentation is not built. Run `make docs`, then load this page again.\n"
UNKNOWN = f"There is no such page in the documentation. Start at {PREFIX}\n"


def folder() -> Path:
    """Return where the built pages are."""
    return Path(settings.BASE_DIR) / "docs" / "_site"


def missing(request: HttpRequest, page: str = "") -> HttpResponse:
    """Answer for a page that is not there: say how to build the site, or where it starts."""
    message = UNKNOWN if (folder() / "index.html").is_file() else MISSING
    return HttpResponse(message, status=404, content_type="text/plain; charset=utf-8")

"""Serve the built documentation at ``/docs``. The pages are those of ``make docs``."""

from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from common.http.addresses import below

PREFIX = "/docs/"
FIRST = f"{PREFIX}index.html"
MISSING = "The documentation is not built. Run `make docs`, then load this page again.\n"
UNKNOWN = "There is no such page in the documentation. Start at {start}\n"


def folder() -> Path:
    """Return where the built pages are."""
    return Path(settings.BASE_DIR) / "docs" / "_site"


def missing(request: HttpRequest, page: str = "") -> HttpResponse:
    """
    Answer for a page that is not there.

    A folder leads to its first page, and a name without an ending to its page, as in the ``type``
    of a problem. Otherwise the answer says how to build the site, or where it starts.
    """
    if (built := _built_page(page)) is not None:
        return HttpResponseRedirect(below(f"{PREFIX}{built}"))
    is_built = (folder() / "index.html").is_file()
    message = UNKNOWN.format(start=below(PREFIX)) if is_built else MISSING
    return HttpResponse(message, status=404, content_type="text/plain; charset=utf-8")


def _built_page(page: str) -> str | None:
    parts = [part for part in page.split("/") if part]
    if not parts or ".." in parts:
        return None
    path = "/".join(parts)
    pages = (f"{path}/index.html", f"{path}.html")
    return next((name for name in pages if (folder() / name).is_file()), None)

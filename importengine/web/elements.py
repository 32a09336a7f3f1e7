"""Serve what is built: elements at ``/elements/service-import.js``, documentation at ``/docs/``."""

import json
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import MissingFileError

from common.http.addresses import below
from common.release import release_in
from importengine.web import docs

PREFIX = "/elements/"
REMEDY = "Run `python scripts/build_elements.py`; after an upgrade, restart the programs, too."


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise has no types
    """
    The static files, the elements below ``/elements/``, and the documentation below ``/docs/``.

    The entry of an element is asked for again after a minute; what it loads, and its versioned
    twin, is named by content and kept for good. Any page may load them. Elements and documentation
    are looked up for each request, because they may be built while the engine runs.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        super().__init__(get_response)
        also = f"{self.static_prefix}elements/"  # one URL each, cached from the start
        for url in [url for url in self.files if url.startswith(also)]:
            del self.files[url]
        self.directories.insert(0, (f"{_folder()}/", PREFIX))
        self.directories.insert(0, (f"{docs.folder()}/", docs.PREFIX))
        release_in(settings.BASE_DIR)  # what this process runs, whatever is unpacked over it later

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer with a file, or hand the request on."""
        path = request.path_info
        if path == docs.PREFIX.rstrip("/"):
            return HttpResponseRedirect(below(docs.PREFIX))
        if path.startswith((PREFIX, docs.PREFIX)):
            wanted = docs.FIRST if path == docs.PREFIX else path
            return self._built(wanted, request) or self.get_response(request)
        answer: HttpResponseBase = super().__call__(request)
        return answer

    def _built(self, path: str, request: HttpRequest) -> HttpResponseBase | None:
        try:
            file = self.find_file(path)
            answer: HttpResponseBase | None = file and self.serve(file, request)
        except (MissingFileError, OSError):  # replaced by a build at this moment
            return None
        return answer


def what_is_wrong() -> str | None:
    """Return why the built elements do not belong to this engine; None if they do."""
    folder = _folder()
    try:
        manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
        scripts = [f"{name}.js" for name in manifest["elements"]] + list(manifest["integrity"])
        built = (manifest.get("engine"), manifest.get("sources"))
    except FileNotFoundError:
        return "not built"
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return "their manifest cannot be read"
    if lost := [name for name in scripts if not (folder / name).is_file()]:
        return f"{Path(min(lost)).as_posix()} is missing"
    ours = release_in(settings.BASE_DIR)
    if built[0] != ours.engine:
        return f"built for engine {built[0] or 'unknown'}; this is {ours.engine}"
    if ours.sources and built[1] != ours.sources:
        return "built from other sources than this engine's"
    return None


def _folder() -> Path:
    return Path(settings.BASE_DIR) / "static" / "elements"

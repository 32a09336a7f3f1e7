"""Serve the built elements at addresses that last: ``/elements/service-import.js``."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise has no types
    """
    The static files, and the elements once more below ``/elements/``.

    The entry of an element is asked for again after a minute; what it loads, and its versioned
    twin, is named by content and kept for good. Any page may load them.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        super().__init__(get_response)
        built = settings.BASE_DIR / "static" / "elements"
        if built.is_dir():  # nobody need build them to run the engine
            self.add_files(built, prefix="elements/")

"""The site that serves ``/admin``."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.admin.checks import check_admin_app, check_dependencies
from django.core.checks import CheckMessage, Tags, register


class EngineAdminConfig(SimpleAdminConfig):
    """
    Replaces Django's admin site with the engine's.

    Its pages are loaded with the routes, and for checks: workers need neither.
    """

    default_site = "importengine.admin.EngineAdminSite"

    def ready(self) -> None:
        """Register Django's checks of the site; they load the pages first."""
        register(check_dependencies, Tags.admin)
        register(_check_pages, Tags.admin)


def _check_pages(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    admin.autodiscover()
    return check_admin_app(app_configs)

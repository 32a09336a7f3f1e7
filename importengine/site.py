"""The site that serves ``/admin``."""

from django.contrib.admin.apps import AdminConfig


class EngineAdminConfig(AdminConfig):
    """Replaces Django's admin site with the engine's."""

    default_site = "importengine.admin.EngineAdminSite"

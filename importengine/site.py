"""Which site serves ``/admin``."""

from django.contrib.admin.apps import AdminConfig


class EngineAdminConfig(AdminConfig):
    """Puts the engine's own site in the place of Django's."""

    default_site = "importengine.admin.EngineAdminSite"

"""The admin site: Django's, with the catalogs' own pages before it."""

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.urls import URLPattern, URLResolver, path, reverse

from licensing.logins import ThrottledLogin


class EngineAdminSite(AdminSite):
    """
    Serves the catalogs at ``/admin/catalogs``.

    Django's own page there, the index of an app with that label, would list tables, and a person
    who edits a schema thinks of none.
    """

    site_header = site_title = "Import Engine"
    index_title = "Administration"
    site_url = None  # the engine has no front page
    login_form = ThrottledLogin

    def get_urls(self) -> list[URLResolver | URLPattern]:
        """Put the catalogs' pages first."""
        from catalogs import admin as catalogs  # models are not ready when sites are made

        pages: list[URLResolver | URLPattern] = [
            path("catalogs", self.admin_view(catalogs.list_page), name="catalogs"),
            path("catalogs/", self.admin_view(catalogs.list_page)),
            path("catalogs/<str:key>/edit", self.admin_view(catalogs.catalog_page), name="catalog"),
        ]
        return pages + super().get_urls()

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Begin the list of apps with the catalogs."""
        address = reverse("admin:catalogs", current_app=self.name)
        model = {
            "name": "Catalogs",
            "object_name": "Catalog",
            "admin_url": address,
            "view_only": True,
            "perms": {},
        }
        catalogs = {
            "name": "Catalogs",
            "app_label": "catalogs",
            "app_url": address,
            "has_module_perms": True,
            "models": [model],
        }
        own = [catalogs] if app_label in {None, "catalogs"} else []
        return own + super().get_app_list(request, app_label)

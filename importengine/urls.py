"""All routes of the engine."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularSwaggerSplitView

from importengine.people import pages as people
from importengine.web import docs

DOCS = SpectacularSwaggerSplitView.as_view(url_name="openapi", template_name="docs/page.html")
admin.autodiscover()
urlpatterns: list[URLPattern | URLResolver] = [
    path("api/import/v1/", include("agents.urls")),
    path("api/import/v1/", include("api.v1.urls")),
    path("api/docs", DOCS, name="api-docs"),
    path("i/", include("links.urls")),
    path("mail/", include("mails.urls")),
    path("admin/", include(people.urls_for(admin.site))),  # by the names that django-allauth knows
    path("admin/", admin.site.urls),
    path("docs/", docs.missing),  # a page that is there is served as a static file is
    path("docs/<path:page>", docs.missing),
]
if settings.DEMO:
    urlpatterns.append(path("demo/", include("importengine.demo.urls")))

handler400 = "common.http.problems.bad_request"
handler403 = "common.http.problems.permission_denied"
handler404 = "common.http.problems.not_found"
handler500 = "importengine.web.health.server_error"

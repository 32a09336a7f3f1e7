"""The route of the tools, below ``/api/import/v1/``."""

from django.urls import URLPattern, path

from agents.views import McpView

urlpatterns: list[URLPattern] = [path("mcp", McpView.as_view(), name="mcp")]

"""The demo's addresses alone: in tests the engine runs without its demo."""

from django.urls import include, path

urlpatterns = [path("demo/", include("importengine.demo.urls"))]

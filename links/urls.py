"""The routes of links, below ``/i/``."""

from django.urls import URLPattern, path

from links import views

urlpatterns: list[URLPattern] = [
    path("<str:token>", views.page, name="link"),
    path("<str:token>/session", views.session),
]

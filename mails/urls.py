"""The routes of mails, below ``/mail/``."""

from django.urls import URLPattern, path

from mails import pages

urlpatterns: list[URLPattern] = [
    path("stop/<str:token>", pages.stop, name="mails-stop"),
]

"""The receiver's one address; include it in your own URLs."""

from django.urls import path

from .views import receive

urlpatterns = [path("imports/apply", receive)]

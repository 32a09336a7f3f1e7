"""Routes of the demo host, all below ``/demo/``."""

from django.urls import path

from importengine.demo import views
from importengine.demo.receiver import receive

urlpatterns = [
    path("", views.page),
    path("session", views.session),
    path("receiver", receive),
    path("deliveries", views.deliveries),
    path("deliveries/<slug:delivery_id>/body", views.delivery_body),
    path("files/<str:name>", views.example_file),
]

from django.apps import AppConfig


class ReferencesConfig(AppConfig):
    name = "references"
    verbose_name = "References"

from django.apps import AppConfig


class StagingConfig(AppConfig):
    name = "staging"

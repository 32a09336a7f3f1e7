from django.apps import AppConfig


class ImportEngineConfig(AppConfig):
    name = "importengine"

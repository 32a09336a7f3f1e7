from django.apps import AppConfig


class ImportEngineConfig(AppConfig):
    name = "importengine"

    def ready(self) -> None:
        from importengine import checks, confining  # noqa: F401 - checks register themselves

        confining.configure()

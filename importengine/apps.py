from django.apps import AppConfig


class ImportEngineConfig(AppConfig):
    name = "importengine"

    def ready(self) -> None:
        from django.conf import settings

        from importengine import checks, confining  # noqa: F401 - checks register themselves
        from importengine.memory import bound_memory

        confining.configure()
        if not settings.TESTING:
            bound_memory(settings.MEMORY_BYTES)  # for web, worker, beat and every command

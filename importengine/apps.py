from django.apps import AppConfig


class ImportEngineConfig(AppConfig):
    name = "importengine"

    def ready(self) -> None:
        from django.conf import settings

        from importengine import checks  # noqa: F401 - checks register themselves
        from importengine.processes import confinement
        from importengine.processes.memory import bound_memory, end_start

        confinement.configure()
        if not settings.TESTING:
            bound_memory(settings.MEMORY_BYTES)  # for web, worker, beat and every command
        end_start()

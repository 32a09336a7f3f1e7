from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "common"
    verbose_name = "Audit log"

    def ready(self) -> None:
        """Replace the framework's validation messages with the engine's."""
        from common.http.field_sentences import install

        install()

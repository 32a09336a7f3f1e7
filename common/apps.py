from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "common"
    verbose_name = "Audit list"

    def ready(self) -> None:
        """Have refusals of members say what the engine says."""
        from common.field_sentences import install

        install()

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"

    def ready(self) -> None:
        """Register the extensions of the schema generator."""
        import api.openapi  # noqa: F401  (registers by being imported)

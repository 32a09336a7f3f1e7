from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"

    def ready(self) -> None:
        """Register what the schema generator cannot see by itself."""
        import api.openapi  # noqa: F401  (registers by being imported)

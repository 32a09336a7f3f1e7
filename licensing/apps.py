from django.apps import AppConfig


class LicensingConfig(AppConfig):
    name = "licensing"
    verbose_name = "Tenants and licenses"

    def ready(self) -> None:
        from licensing import checks, openapi  # noqa: F401 - importing them registers them

from django.apps import AppConfig


class LicensingConfig(AppConfig):
    name = "licensing"
    verbose_name = "Tenants and licenses"

    def ready(self) -> None:
        from licensing import checks  # noqa: F401 - importing it registers it

from django.apps import AppConfig


class TrialsConfig(AppConfig):
    name = "trials"

    def ready(self) -> None:
        """Contribute the jobs of files that are only tried, and what kept tests object to."""
        from catalogs.services import OBJECTIONS
        from trials.services import kept

        OBJECTIONS.append(kept.object_to)

from django.apps import AppConfig


class ChangesetsConfig(AppConfig):
    name = "changesets"
    verbose_name = "Changesets"

    def ready(self) -> None:
        """Register what changesets decide about deliveries that are sent again."""
        from changesets.reverting import is_taken_back
        from deliveries.services.outbox import TAKEN_BACK

        TAKEN_BACK.append(is_taken_back)

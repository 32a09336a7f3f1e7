from django.apps import AppConfig


class ChangesetsConfig(AppConfig):
    name = "changesets"

    def ready(self) -> None:
        """Contribute the step of the state that changesets decide."""
        from changesets.services import write_deliveries
        from imports.models import ImportRecord
        from imports.steps import STEPS

        STEPS[ImportRecord.State.APPLYING] = write_deliveries

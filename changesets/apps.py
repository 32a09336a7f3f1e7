from django.apps import AppConfig


class ChangesetsConfig(AppConfig):
    name = "changesets"
    verbose_name = "Changesets"

    def ready(self) -> None:
        """Register what changesets decide: jobs of states, exported rows, and what is reverted."""
        from changesets.exported import applied_rows, refused_rows
        from changesets.reverting import is_taken_back, write_reverts
        from changesets.services import named_files, write_deliveries
        from deliveries.services.outbox import TAKEN_BACK
        from imports.jobs import JOBS
        from imports.models import ImportRecord
        from imports.purging import NAMED_ABOVE
        from imports.services.writing import CHOICES

        JOBS[ImportRecord.State.APPLYING] = write_deliveries
        JOBS[ImportRecord.State.REVERTING] = write_reverts
        CHOICES["refused"] = refused_rows
        CHOICES["applied"] = applied_rows
        NAMED_ABOVE.append(named_files)
        TAKEN_BACK.append(is_taken_back)

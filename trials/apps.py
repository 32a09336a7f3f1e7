from django.apps import AppConfig


class TrialsConfig(AppConfig):
    name = "trials"

    def ready(self) -> None:
        """Contribute the jobs of files that are only tried, and what kept tests object to."""
        from catalogs.services import OBJECTIONS
        from imports.jobs import JOBS_OF_PURPOSE
        from imports.models import ImportRecord
        from imports.purging import NAMED_ABOVE
        from trials.impact import look_at_rows
        from trials.inferring import suggest_catalog
        from trials.services import kept
        from trials.testing import carry_out_test

        purpose, reading = ImportRecord.Purpose, ImportRecord.State.READING
        JOBS_OF_PURPOSE[purpose.INFER, reading] = suggest_catalog
        JOBS_OF_PURPOSE[purpose.TEST, reading] = carry_out_test
        JOBS_OF_PURPOSE[purpose.IMPACT, reading] = look_at_rows
        OBJECTIONS.append(kept.object_to)
        NAMED_ABOVE.append(kept.named_files)

from django.apps import AppConfig


class ContractsConfig(AppConfig):
    name = "contracts"
    verbose_name = "Contracts"

    def ready(self) -> None:
        """Register the job of files that are only checked."""
        from contracts.services.checks import carry_out_check
        from imports.jobs import JOBS_OF_PURPOSE
        from imports.models import ImportRecord

        of_checks = (ImportRecord.Purpose.CHECK, ImportRecord.State.READING)
        JOBS_OF_PURPOSE[of_checks] = carry_out_check

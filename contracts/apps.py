from django.apps import AppConfig


class ContractsConfig(AppConfig):
    name = "contracts"
    verbose_name = "Contracts"

    def ready(self) -> None:
        """Contribute the step of files that are only checked."""
        from contracts.services.checks import carry_out_check
        from imports.models import ImportRecord
        from imports.steps import STEPS_OF_PURPOSE

        of_checks = (ImportRecord.Purpose.CHECK, ImportRecord.State.READING)
        STEPS_OF_PURPOSE[of_checks] = carry_out_check

"""What confines a step on this machine. Decision: docs/adr/0091."""

from tabular.step.isolation import close_to_others, missing

__all__ = ["close_to_others", "missing"]

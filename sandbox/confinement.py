"""How jobs are confined on this machine. Decision: docs/adr/0091."""

from tabular.job.isolation import close_to_others, missing

__all__ = ["close_to_others", "missing"]

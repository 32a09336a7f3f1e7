"""The engine's own failures, field by field: logged and shown at the cells, never a 5xx."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from tabular.model.defect import Contained, Defect

logger = logging.getLogger(__name__)


def log_defects(subject: str, defects: Iterable[Defect]) -> None:
    """Log each defect once. subject: the import."""
    for defect in dict.fromkeys(defects):
        logger.error("%s: %s", subject, defect)


def column_alone(subject: str, field: str, step: str) -> Contained:
    """Run a block and log its failure, so that the other columns continue."""
    return Contained(field, step, lambda defect: log_defects(subject, [defect]))

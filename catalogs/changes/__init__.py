"""The differences between two catalogs, and who is affected. Pure. Spec: Catalog."""

from catalogs.changes.comparison import Change, Subject, compare, counted
from catalogs.changes.verdicts import CLASSES, Class

__all__ = ["CLASSES", "Change", "Class", "Subject", "compare", "counted"]

"""Recognise what a column holds by its values. Spec: value detector.

``profile`` examines only distinct values and costs about a millisecond per column; ``detect``
scores a field's own detectors. Neither reads the header.
"""

from tabular.detecting.detectors import detect, strength
from tabular.detecting.fitting import type_fit
from tabular.detecting.profiling import Profile, profile

__all__ = ["Profile", "detect", "profile", "strength", "type_fit"]

"""Score a field's own value detectors. Spec: value detector."""

from functools import lru_cache

import pyarrow as pa
import pyarrow.compute as pc

from tabular.detecting.accepting import accepted
from tabular.detecting.profiling import Profile
from tabular.model.catalog import BuiltinDetector, Detector, OneOfDetector, RegexDetector
from tabular.types.patterns import Pattern, search_problem

MIN_RATIO = 0.8  # of a detector without one
WEIGHT = 50.0  # of a detector without one, on a scale of 0 to 100


def detect(profile: Profile, detectors: tuple[Detector, ...]) -> float | None:
    """
    Return the weighted share of detectors that recognise a column, 0 to 1.

    None without a detector or a value.
    """
    if profile.is_empty or not detectors:
        return None
    weights = [_weight(detector) for detector in detectors]
    if not sum(weights):
        return None
    hits = [weight for d, weight in zip(detectors, weights, strict=True) if recognises(profile, d)]
    return sum(hits) / sum(weights)


def strength(profile: Profile, detectors: tuple[Detector, ...]) -> float:
    """Return the weight of the heaviest detector that recognises a column, 0 to 1."""
    if profile.is_empty:
        return 0.0
    hits = (detector for detector in detectors if recognises(profile, detector))
    return max((_weight(detector) for detector in hits), default=0.0) / 100


def _weight(detector: Detector) -> float:
    return WEIGHT if detector.weight is None else detector.weight


def recognises(profile: Profile, detector: Detector) -> bool:
    """Return whether enough values match a detector."""
    least = MIN_RATIO if detector.min_ratio is None else detector.min_ratio
    return ratio(profile, detector) >= least


def ratio(profile: Profile, detector: Detector) -> float:
    """Return the share of distinct values that a detector accepts."""
    match detector:
        case BuiltinDetector(name=name):
            return accepted(profile.values, name)
        case RegexDetector(pattern=pattern, flags=flags):
            return _matching(profile.values, pattern, flags or "")
        case OneOfDetector(values=values, case_insensitive=insensitive):
            fold = str.casefold if insensitive else str
            allowed = {fold(value) for value in values}
            return sum(fold(v) in allowed for v in profile.values) / len(profile.values)


def _matching(values: tuple[str, ...], pattern: str, flags: str) -> float:
    """Return the share of values that match the pattern; an invalid pattern matches nothing."""
    if search_problem(pattern):
        return 0.0
    match = _ready(pattern, flags).search(pa.array(values, pa.string()))
    return float(pc.mean(pc.fill_null(match, False)).as_py() or 0.0)


@lru_cache(maxsize=256)
def _ready(pattern: str, flags: str) -> Pattern:
    """Cache a pattern across columns, so that its time limit covers all of them together."""
    return Pattern(pattern, flags)

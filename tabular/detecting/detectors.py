"""Score a field's own value detectors. Spec: value detector."""

from functools import lru_cache

import pyarrow as pa
import pyarrow.compute as pc

from tabular.detecting.fitting import type_fit
from tabular.detecting.profiling import Profile
from tabular.model.catalog import BuiltinDetector, Detector, OneOfDetector, RegexDetector

MIN_RATIO = 0.8  # of a detector that states none
WEIGHT = 50.0  # of a detector that states none, on the scale 0 to 100
FLAGS = {"i": "i", "m": "m", "s": "s", "u": ""}  # JavaScript's letters, as far as RE2 knows them


def detect(profile: Profile, detectors: tuple[Detector, ...]) -> float | None:
    """
    Give the weighted share of detectors that recognise a column, 0 to 1.

    None when there is nothing to say: no detector, or no value.
    """
    if profile.is_empty or not detectors:
        return None
    weights = [WEIGHT if d.weight is None else d.weight for d in detectors]
    if not sum(weights):
        return None
    hits = [weight for d, weight in zip(detectors, weights, strict=True) if recognises(profile, d)]
    return sum(hits) / sum(weights)


def recognises(profile: Profile, detector: Detector) -> bool:
    """Whether enough values are what a detector looks for."""
    least = MIN_RATIO if detector.min_ratio is None else detector.min_ratio
    return ratio(profile, detector) >= least


def ratio(profile: Profile, detector: Detector) -> float:
    """Give the share of distinct values that a detector accepts."""
    match detector:
        case BuiltinDetector(name=name):
            fit = type_fit(profile, name)
            return 1.0 if fit is None else fit
        case RegexDetector(pattern=pattern, flags=flags):
            return _matching(profile.values, _re2(pattern, flags or ""))
        case OneOfDetector(values=values, case_insensitive=insensitive):
            fold = str.casefold if insensitive else str
            allowed = {fold(value) for value in values}
            return sum(fold(v) in allowed for v in profile.values) / len(profile.values)


@lru_cache(maxsize=256)
def _re2(pattern: str, flags: str) -> str:
    known = "".join(sorted({FLAGS[letter] for letter in flags if letter in FLAGS}))
    return f"(?{known})(?:{pattern})" if known else pattern


def _matching(values: tuple[str, ...], pattern: str) -> float:
    """Match in linear time; a pattern RE2 refuses recognises nothing."""
    try:
        matched = pc.match_substring_regex(pa.array(values, pa.string()), pattern)
    except pa.ArrowInvalid:
        return 0.0
    return float(pc.mean(matched).as_py() or 0.0)

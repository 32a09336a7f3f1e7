"""Turn a recipe and text columns into typed columns and findings. Spec: field, profile > recipe.

``infer`` examines once the columns whose reading depends on their texts (decimal separator, order
of day and month, bare percentages, one value per document); ``transform`` then streams.
"""

from tabular.transforming.executing import RecipeFinding, recipe_findings
from tabular.transforming.inference import (
    Inferred,
    contradicts,
    infer,
    infer_by_answers,
    infer_early,
)
from tabular.transforming.reading_rows import transform

__all__ = [
    "Inferred",
    "RecipeFinding",
    "contradicts",
    "infer",
    "infer_by_answers",
    "infer_early",
    "recipe_findings",
    "transform",
]

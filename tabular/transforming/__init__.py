"""Turn a recipe and text columns into typed columns and findings. Spec: field, profile > recipe.

``settle`` examines once the columns whose reading depends on their texts (decimal separator, order
of day and month, bare percentages, one value per document); ``transform`` then streams.
"""

from tabular.transforming.cooking import RecipeFinding, StepPreview, preview, recipe_findings
from tabular.transforming.inference import (
    Inferred,
    contradicts,
    infer,
    infer_by_answers,
    infer_early,
)
from tabular.transforming.plan import Plan, UnusablePlan, document_text
from tabular.transforming.reading_rows import transform

__all__ = [
    "Inferred",
    "Plan",
    "RecipeFinding",
    "StepPreview",
    "UnusablePlan",
    "contradicts",
    "document_text",
    "infer",
    "infer_by_answers",
    "infer_early",
    "preview",
    "recipe_findings",
    "transform",
]

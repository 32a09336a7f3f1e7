"""Turn a recipe and text columns into typed columns and findings. Spec: field, profile > recipe.

``settle`` examines once the columns whose reading depends on their texts (decimal separator, order
of day and month, bare percentages, one value per document); ``transform`` then streams.
"""

from tabular.transforming.cooking import RecipeFinding, StepPreview, preview, recipe_findings
from tabular.transforming.plan import Plan, UnusablePlan, document_text
from tabular.transforming.reading_rows import transform
from tabular.transforming.settling import Settled, contradicts, settle, settle_early, settled_by

__all__ = [
    "Plan",
    "RecipeFinding",
    "Settled",
    "StepPreview",
    "UnusablePlan",
    "contradicts",
    "document_text",
    "preview",
    "recipe_findings",
    "settle",
    "settle_early",
    "settled_by",
    "transform",
]

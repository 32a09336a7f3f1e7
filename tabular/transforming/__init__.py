"""Turn a recipe and text columns into typed columns and findings. Spec: field, profile > recipe.

``infer`` examines once the columns whose reading depends on their texts (decimal separator, order
of day and month, bare percentages, one value per document); ``transform`` then streams.
"""

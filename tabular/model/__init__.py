"""The nouns of the engine, frozen. Spec: Resources and their fields."""

"""The texts of the engine: by key, with parameters, in four languages."""

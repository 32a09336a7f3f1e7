"""Changes of many cells of an import, made by a worker."""

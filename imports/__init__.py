"""The life of an import, from file to applied. Spec: Import record."""

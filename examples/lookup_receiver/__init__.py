"""A host that says which of its records have the keys of a file."""

"""A full sync: known entities that the file does not name are deleted, with a brake."""

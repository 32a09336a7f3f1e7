"""The makers of the example files, one module per file."""

"""Published target schemas and their drafts. Spec: Catalog."""

"""Staged applies. Spec: Import record, changeset, question."""

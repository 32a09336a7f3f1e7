"""Asking the operator's own model, keeping what it says, and trying it on sample rows."""

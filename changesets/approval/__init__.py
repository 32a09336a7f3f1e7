"""Approval by a second person: how many rows need it, who prepared them, and who may approve."""

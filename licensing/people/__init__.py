"""People who sign in: their passwords, limits for guessing, and what the audit log says."""

"""Who may call what: one table of operations, and the check of a call against it."""

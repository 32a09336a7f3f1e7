"""Known entities of a tenant and scope, and the journal of what changed them. Spec: reference."""

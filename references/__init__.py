"""Known entities of a tenant and scope, and the journal of their changes. Spec: reference."""

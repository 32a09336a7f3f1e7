"""Value lists of a tenant: two columns of texts, which lookups of recipes name by their key."""

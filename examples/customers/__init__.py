"""A host with three customers, who import into one catalog with differences of their own."""

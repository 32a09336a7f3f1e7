"""Version 1 of the API: one module per resource."""

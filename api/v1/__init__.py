"""Version 1 of the HTTP surface: one module per resource."""

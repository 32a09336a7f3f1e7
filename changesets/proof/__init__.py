"""What proves an apply: receivers' results compared with it, and what its receipt commits to."""

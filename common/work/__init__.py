"""Stateful rows, their moves, and the leases of workers."""
